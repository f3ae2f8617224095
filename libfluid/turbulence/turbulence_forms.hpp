#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// Transport of χ = ν̃/ν in turbulent flow, steady or in time, see SpalartAllmaras: the unknown is u_x, u_y, (u_z), p,
/// χ, all of first order. Coefficients: density [kg/m³], viscosity [Pa s], wall distance [m], mean of its reciprocal over the cell
/// [1/m] (WallProximity), factor of the production, SpalartAllmarasConstants, source [1/s]. capturing: coefficient C of
/// discontinuity capturing; 0: none. The cells must be all simplices or all other shapes (otherwise std::invalid_argument): create
/// a form for each part of `split_by_shape`.
std::unique_ptr<WeakForm> make_spalart_allmaras(FlowKind kind, double capturing, bool in_time, CellBatches cells);

}  // namespace invar
