#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// r(v) = ∫ ρ (w·∇s) v dV on a space of one scalar s: what LinearisedConvection does to each component of the velocity.
/// Coefficients: ρ, w_x, w_y, (w_z). For matrices of solvers: never differentiated.
std::unique_ptr<WeakForm> make_scalar_convection(FlowKind kind, CellBatches cells);

}  // namespace invar
