#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// A point [m] next to a node of facet regions, on their outer side, that lies in a cell of the undeformed mesh: the surface
/// is inside a body. Nothing if there is none. Collective; the same result on all ranks of the mesh.
std::optional<std::array<double, 3>> buried_node(const Mesh& mesh, const std::vector<std::string>& regions);

}  // namespace invar
