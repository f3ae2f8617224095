#pragma once
#include "libfem/space/dof_map.hpp"

namespace invar {

/// Rigid translations and rotations of the undeformed body: the near-null space of elasticity for aggregation
/// multigrid. Empty unless every node has exactly the displacement components.
NullSpaceHandle rigid_body_modes(const DofMap& dofs);

}  // namespace invar
