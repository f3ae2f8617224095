#pragma once
#include <vector>

#include "libfem/space/dof_map.hpp"

namespace invar {

/// Gives ghost nodes the values [n_nodes] that their owners have. Collective.
void update_ghost_values(const DofMap& dofs, std::vector<double>& at_nodes);

}  // namespace invar
