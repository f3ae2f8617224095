#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

// What time adds to Taylor–Hood flow. Coefficient: density.
std::unique_ptr<WeakForm> make_flow_inertia(FlowKind kind, CellBatches cells);
/// The same of stabilised flow of equal order, see StabilisedInertia. Coefficients: density, the law's parameters,
/// resistance; turbulent: c_v1. The cells must be all simplices or none. Throws std::invalid_argument otherwise.
std::unique_ptr<WeakForm> make_stabilised_inertia(FlowKind kind, const FlowModel& model, CellBatches cells);
/// In place of the model's convection, with the velocity that transports extrapolated from earlier times.
std::unique_ptr<WeakForm> make_linearised_convection(FlowKind kind, CellBatches cells);

// Flow by pressure correction, see PressureCorrection: with inertia and linearised convection these stand in place of
// make_navier_stokes.
/// Coefficients: density, the law's parameters, f_x, f_y, (f_z), resistance. Throws std::invalid_argument where the
/// model has convection of its own or is turbulent.
std::unique_ptr<WeakForm> make_corrected_momentum(FlowKind kind, const FlowModel& model, CellBatches cells);
/// cells: with the components u, p, φ. Coefficients: density, the law's parameters.
std::unique_ptr<WeakForm> make_pressure_correction(FlowKind kind, const FlowModel& model, CellBatches cells);

}  // namespace invar
