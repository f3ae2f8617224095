#pragma once
#include <span>

#include "libfem/space/dof_map.hpp"

namespace invar {

/// Prolongation from linear elements to a space with the same components, of higher order, on the same mesh: [n_global
/// of `dofs` × n_global of `linear`]; each unknown is the value of the linear function there.
/// `constrained`: this rank's own constrained unknowns of `dofs` (local numbers). They are decoupled: only the basis
/// function of their own vertex is nonzero there, so that a Galerkin product keeps constraints separate like the
/// operator. Collective. Throws std::invalid_argument if meshes or components differ, or the first space is not linear.
MatHandle prolongation_from_linear(const DofMap& linear, const DofMap& dofs, std::span<const int> constrained = {});

/// The same with an internal numbering of linear elements, for the coarse space of a multigrid method.
MatHandle prolongation_from_linear(const DofMap& dofs, std::span<const int> constrained);

/// Whether multigrid with this coarse space may be faster than a direct solver: in 3-D, for symmetric matrices. In 2-D
/// factorisations are cheap.
inline bool coarse_space_may_pay(const DofMap& dofs, bool symmetric) { return dofs.mesh().dim == 3 && symmetric; }

}  // namespace invar
