#pragma once
#include "libfem/form/form_residual.hpp"

namespace invar {

/// Grad-div parameter γ [Pa s] for block preconditioners of flow: 0.025 ρ U L, with U the largest prescribed velocity
/// component at time t (present values of the controls) and L the smallest extent of the mesh. 0 if no velocity is
/// prescribed. Smaller values leave more of the Schur complement to the pressure convection–diffusion, larger ones make
/// the velocity block harder for multigrid: measured in tests/bench/README.md. `density`: ρ [kg/m³]. Collective.
double suggested_grad_div(const FormResidual& residual, double density, double t);

}  // namespace invar
