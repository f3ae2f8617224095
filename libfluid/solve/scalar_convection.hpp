#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// r(v) = ∫ ρ (w·∇s) v dV on a scalar space: the action of LinearisedConvection on each velocity component.
/// Coefficients: ρ, w_x, w_y, (w_z). For solver matrices: never differentiated.
std::unique_ptr<WeakForm> make_scalar_convection(FlowKind kind, CellBatches cells);

}  // namespace invar
