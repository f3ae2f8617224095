#pragma once
#include "libfem/form/form_residual.hpp"

namespace invar {

/// Whether a constant may be added to the pressure of a flow without a change of its equations: where the normal
/// velocity is prescribed on the whole boundary, named or not, and no pressure at any point. The tangent is then
/// singular. `pressure`: position of that component; the residual must be finished. Collective.
bool pressure_level_is_open(FormResidual& residual, int pressure);

}  // namespace invar
