#pragma once
#include <array>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// One side of a facet: the cell behind it, numbered through all blocks, and which of its facets it is; cell is −1
/// where there is none (or none of this rank's part).
struct CellSide {
  int cell = -1, facet = -1;
  auto operator<=>(const CellSide&) const = default;
};

/// A facet of the mesh's boundary, in a named region or not, or one of a named region inside the mesh or without cells, which has no sides.
struct BoundaryFacet {
  std::array<CellSide, 2> sides;
  std::vector<int> nodes;      // local, all of them
  std::vector<int> positions;  // among all entries of Mesh::facets, numbered through all blocks
  bool exterior = true;        // bounds one cell of the whole mesh
};

/// Those of all cells that this rank holds, each once. Complete at the rank's own nodes, and on the cells that touch
/// them.
std::vector<BoundaryFacet> boundary_facets(const Mesh& mesh);

/// `Mesh::exterior` of a serial mesh.
std::vector<std::vector<unsigned char>> exterior_facets(const Mesh& mesh);

}  // namespace invar
