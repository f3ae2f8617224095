#pragma once
#include <vector>

#include "libfem/space/dof_map.hpp"

namespace invar {

/// Copies the owners' values [n_nodes] to ghost nodes. Collective.
void update_ghost_values(const DofMap& dofs, std::vector<double>& at_nodes);

}  // namespace invar
