#include "libfluid/flow/pseudo_mass_forms.hpp"

#include "libfem/form/q_form.hpp"
#include "libfluid/flow/flow_pseudo_mass.hpp"
#include "libfluid/flow/with_flow_kind.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_flow_pseudo_mass(FlowKind kind, const FlowModel& model, CellBatches cells) {
  const ReferenceMetric metric = shared_metric(cells);
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    if (model.turbulent) return make_form(FlowPseudoMass<K, true>{model.law, metric}, std::move(cells));
    return make_form(FlowPseudoMass<K, false>{model.law, metric}, std::move(cells));
  });
}

}  // namespace invar
