#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_forms.hpp"

namespace invar {

/// The mass for FormResidual::add_pseudo_time, see FlowPseudoMass. Coefficients: density, the law's parameters;
/// turbulent: c_v1, σ. The cells must be all simplices or none; create one form per part of `split_by_shape`. Throws
/// std::invalid_argument otherwise.
std::unique_ptr<WeakForm> make_flow_pseudo_mass(FlowKind kind, const FlowModel& model, CellBatches cells);

}  // namespace invar
