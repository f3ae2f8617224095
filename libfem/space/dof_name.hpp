#pragma once
#include <string>

#include "libfem/space/dof_map.hpp"

namespace invar {

/// Description of an unknown for messages, by its global number: component, position of its node in the given mesh, and
/// the facet regions and points there: "u_y at (0.5, 1), region 'top'". Collective.
std::string dof_name(const DofMap& dofs, long long global);

}  // namespace invar
