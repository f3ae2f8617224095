#pragma once
#include <string>

#include "libfem/space/dof_map.hpp"

namespace invar {

/// An unknown in words, by its global number: its component, where its node is in the mesh as given, and the facet
/// regions and points there: "u_y at (0.5, 1), region 'top'". Collective.
std::string dof_name(const DofMap& dofs, long long global);

}  // namespace invar
