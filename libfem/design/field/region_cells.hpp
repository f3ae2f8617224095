#pragma once
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Flags of the local cells in a region, all blocks of Mesh::cells in turn, ghosts included. region empty: all. Throws
/// std::invalid_argument if it is no region of cells.
std::vector<char> cells_in_region(const Mesh& mesh, const std::string& region);

/// Cells of a region that keep a given value.
struct PassiveCells {
  std::string region;
  double value = 0;
};

/// Which cells are designed, and the values of the others: [cell], all blocks of Mesh::cells in turn, ghosts included.
struct GivenCells {
  std::vector<char> designed;
  std::vector<double> value;
};
/// The cells of a region are designed; empty or "all": all. Cells outside it have the value `outside`. Passive cells are not designed, within
/// the region or not; of two entries that name the same cell the last one is valid. Throws std::invalid_argument if a region does not exist,
/// or no cell is left to design. Collective.
GivenCells given_cells(const Mesh& mesh, const std::string& region, double outside, const std::vector<PassiveCells>& passive = {});

}  // namespace invar
