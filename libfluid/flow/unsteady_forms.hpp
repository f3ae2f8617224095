#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

// What time adds to Taylor–Hood flow. Coefficient: density.
std::unique_ptr<WeakForm> make_flow_inertia(FlowKind kind, CellBatches cells);
/// In place of the model's convection, with the velocity that transports extrapolated from earlier times.
std::unique_ptr<WeakForm> make_linearised_convection(FlowKind kind, CellBatches cells);

}  // namespace invar
