#pragma once
#include <string>
#include <utility>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// One serial mesh of several that share no nodes: bodies that may touch but are not joined. All cells of a body, or all facets of
/// a surface without cells, are the region of its name, and its region r is NAME_r. Throws std::invalid_argument where dimensions or
/// orders differ, a name is taken twice, or no body has cells.
Mesh join_bodies(const std::vector<std::pair<std::string, Mesh>>& bodies);

}  // namespace invar
