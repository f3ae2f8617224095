#pragma once
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Flags of the local cells in a region, all blocks of Mesh::cells in turn, ghosts included. region empty: all. Throws
/// std::invalid_argument if it is no region of cells.
std::vector<char> cells_in_region(const Mesh& mesh, const std::string& region);

}  // namespace invar
