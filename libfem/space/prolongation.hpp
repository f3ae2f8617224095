#pragma once
#include <span>

#include "libfem/space/dof_map.hpp"

namespace invar {

/// The matrix that writes functions of linear elements into a space of the same components, and of higher order, on
/// the same mesh: [n_global of `dofs` × n_global of `linear`], each unknown the value of the linear function there.
///
/// `constrained`: this rank's own unknowns of `dofs` (local numbers) that equations hold fixed. They take part in no
/// function but the unit one of their own vertex, so that a Galerkin product keeps constraints apart as the operator
/// does. Collective. Throws std::invalid_argument where meshes or components differ, or the first space is not linear.
MatHandle prolongation_from_linear(const DofMap& linear, const DofMap& dofs, std::span<const int> constrained = {});

/// The same from a numbering of linear elements of its own, for the coarse space of a multigrid method.
MatHandle prolongation_from_linear(const DofMap& dofs, std::span<const int> constrained);

/// Whether multigrid on such a coarse space may beat a direct solver: in space, for symmetric matrices. In the plane
/// factors are cheap.
inline bool coarse_space_may_pay(const DofMap& dofs, bool symmetric) { return dofs.mesh().dim == 3 && symmetric; }

}  // namespace invar
