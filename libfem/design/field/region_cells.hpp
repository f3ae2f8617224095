#pragma once
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Which cells of the rank lie in a region: 1 or 0 for each, all blocks of Mesh::cells in turn, ghosts
/// included. region empty: all. Throws std::invalid_argument where it is no region of cells.
std::vector<char> cells_in_region(const Mesh& mesh, const std::string& region);

}  // namespace invar
