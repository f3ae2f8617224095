#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_forms.hpp"

namespace invar {

/// For FormResidual::add_pseudo_time, see FlowPseudoMass. Coefficients: density, the law's parameters; turbulent: c_v1,
/// σ. The cells must be all simplices or none; give the `split_by_shape` parts to a form each. Throws
/// std::invalid_argument otherwise.
std::unique_ptr<WeakForm> make_flow_pseudo_mass(FlowKind kind, const FlowModel& model, CellBatches cells);

}  // namespace invar
