#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/solve/coupled_fields.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// The fields of fluid–structure interaction for block Gauss–Seidel: velocity (components `v`) and pressure `p`; the displacement (`d`, in the order
/// of v) at nodes of `bodies`, the integral of the velocity there; the displacement of the mesh elsewhere. The space has no other component.
/// The Schur complement is a DiagonalSchur. Collective.
std::shared_ptr<CoupledFields> interaction_fields(const DofMap& dofs, const std::vector<int>& v, int p, const std::vector<int>& d,
                                                  const std::vector<std::string>& bodies);

}  // namespace invar
