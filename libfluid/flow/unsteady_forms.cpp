#include "libfluid/flow/unsteady_forms.hpp"

#include <stdexcept>

#include "libfem/form/q_form.hpp"
#include "libfluid/flow/flow_inertia.hpp"
#include "libfluid/flow/stabilised_inertia_form.hpp"
#include "libfluid/flow/pressure_correction_form.hpp"
#include "libfluid/flow/with_flow_kind.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_flow_inertia(FlowKind kind, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    return make_form(FlowInertia<K>{}, std::move(cells));
  });
}

std::unique_ptr<WeakForm> make_stabilised_inertia(FlowKind kind, const FlowModel& model, CellBatches cells) {
  const ReferenceMetric metric = shared_metric(cells);
  return with_flow_kind(kind, [&]<class K>(K) {
    if (model.turbulent)
      return make_stabilised_inertia_form(StabilisedInertia<K, true>{model.law, model.convection, metric}, std::move(cells));
    return make_stabilised_inertia_form(StabilisedInertia<K, false>{model.law, model.convection, metric}, std::move(cells));
  });
}

std::unique_ptr<WeakForm> make_linearised_convection(FlowKind kind, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    return make_form(LinearisedConvection<K>{}, std::move(cells));
  });
}

std::unique_ptr<WeakForm> make_corrected_momentum(FlowKind kind, const FlowModel& model, CellBatches cells) {
  if (model.convection || model.turbulent || !(model.grad_div >= 0))
    throw std::invalid_argument("pressure correction is available for laminar flow only");
  return with_flow_kind(kind, [&]<class K>(K) {
    CorrectedMomentum<K> q;
    q.law = model.law;
    q.convection = false;
    q.stress_form = model.stress_form;
    q.grad_div = model.grad_div;
    return make_corrected_momentum_form(std::move(q), std::move(cells));
  });
}

std::unique_ptr<WeakForm> make_pressure_correction(FlowKind kind, const FlowModel& model, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) {
    return make_pressure_correction_form(PressureCorrection<K>{model.law, model.stress_form, model.grad_div}, std::move(cells));
  });
}

}  // namespace invar
