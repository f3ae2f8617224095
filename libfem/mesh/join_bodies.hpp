#pragma once
#include <string>
#include <utility>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// One serial mesh of several meshes without common nodes: bodies that may touch but are not connected. All cells of a body, or all
/// facets of a surface without cells, form the region with the body's name; its region r becomes NAME_r. Throws
/// std::invalid_argument if dimensions or orders differ, a name occurs twice, or no body has cells.
Mesh join_bodies(const std::vector<std::pair<std::string, Mesh>>& bodies);

}  // namespace invar
