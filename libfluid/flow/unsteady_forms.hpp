#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_forms.hpp"

namespace invar {

// What time adds to Taylor–Hood flow. Coefficient: density.
std::unique_ptr<WeakForm> make_flow_inertia(FlowKind kind, CellBatches cells);
/// The same of stabilised flow of equal order, see StabilisedInertia. Coefficients: density, the law's parameters, resistance;
/// turbulent: c_v1. The cells must be all simplices or none. Throws std::invalid_argument otherwise.
std::unique_ptr<WeakForm> make_stabilised_inertia(FlowKind kind, const FlowModel& model, CellBatches cells);
/// In place of the model's convection, with the velocity that transports extrapolated from earlier times.
std::unique_ptr<WeakForm> make_linearised_convection(FlowKind kind, CellBatches cells);

}  // namespace invar
