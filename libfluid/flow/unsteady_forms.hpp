#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

// Inertia of Taylor–Hood flow. Coefficient: density.
std::unique_ptr<WeakForm> make_flow_inertia(FlowKind kind, CellBatches cells);
/// Inertia of stabilised equal-order flow, see StabilisedInertia. Coefficients: density, the law's parameters,
/// resistance; turbulent: c_v1. The cells must be all simplices or none. Throws std::invalid_argument otherwise.
std::unique_ptr<WeakForm> make_stabilised_inertia(FlowKind kind, const FlowModel& model, CellBatches cells);
/// Replaces the model's convection: the transporting velocity is extrapolated from earlier times.
std::unique_ptr<WeakForm> make_linearised_convection(FlowKind kind, CellBatches cells);

// Flow by pressure correction, see PressureCorrection: together with inertia and linearised convection these replace
// make_navier_stokes.
/// Coefficients: density, the law's parameters, f_x, f_y, (f_z), resistance. Throws std::invalid_argument if the model
/// has convection or is turbulent.
std::unique_ptr<WeakForm> make_corrected_momentum(FlowKind kind, const FlowModel& model, CellBatches cells);
/// cells: with the components u, p, φ. Coefficients: density, the law's parameters.
std::unique_ptr<WeakForm> make_pressure_correction(FlowKind kind, const FlowModel& model, CellBatches cells);

}  // namespace invar
