#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// A node of regions of facets behind which the body ends and before which another one is, or the same: a surface that
/// lies inside of a body, m; nothing where there is none. Of the undeformed mesh.
/// Collective over its ranks, which all get the same.
std::optional<std::array<double, 3>> buried_node(const Mesh& mesh, const std::vector<std::string>& regions);

}  // namespace invar
