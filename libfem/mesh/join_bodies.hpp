#pragma once
#include <string>
#include <utility>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// One serial mesh of several that share no nodes: bodies that may touch but are not joined. All cells of a body are the
/// region of its name, and its region r is NAME_r. Throws std::invalid_argument where dimensions or orders differ, or a
/// name is taken twice.
Mesh join_bodies(const std::vector<std::pair<std::string, Mesh>>& bodies);

}  // namespace invar
