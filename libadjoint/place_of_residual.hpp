#pragma once
#include <functional>
#include <string>

#include "libadjoint/evaluation_point.hpp"
#include "libadjoint/residual.hpp"

namespace invar {

/// "u_x at (1, 2)" by `name`, or "dof 7" without it.
std::string name_of_row(PetscInt row, const std::function<std::string(PetscInt row)>& name);

/// "; the residual is largest at u_x at (1, 2)", for the reason of a solve that ended at u; empty where the residual cannot be evaluated.
/// Algebraic unknowns, whose equations have other units, are left out. Collective.
std::string place_of_residual(Residual& residual, const EvaluationPoint& u, const std::function<std::string(PetscInt row)>& name);

}  // namespace invar
