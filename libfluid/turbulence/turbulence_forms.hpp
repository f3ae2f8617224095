#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// Transport of χ = ν̃/ν in turbulent flow, steady or in time, see SpalartAllmaras: the unknown is u_x, u_y, (u_z), p,
/// χ, all of first order. Coefficients: density, viscosity, wall distance, mean of its reciprocal over the cell
/// (WallProximity), multiplier of the production, SpalartAllmarasConstants, source [1/s]. capturing: of
/// discontinuities; 0: none. The cells must be all simplices or none; give the `split_by_shape` parts to a form each.
/// Throws std::invalid_argument otherwise.
std::unique_ptr<WeakForm> make_spalart_allmaras(FlowKind kind, double capturing, bool in_time, CellBatches cells);

}  // namespace invar
