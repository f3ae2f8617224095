#pragma once
#include "libfem/space/dof_map.hpp"

namespace invar {

/// Writes a field of linear elements into a space of the same components, and of higher order, on the same
/// mesh: u's own nodes take the values of the linear functions there. Both vectors are ghosted.
/// Throws std::invalid_argument where meshes or components differ, or the first space is not linear.
void prolong_linear(const DofMap& linear, Vec coarse, const DofMap& dofs, Vec u);

}  // namespace invar
