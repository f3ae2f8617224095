#include "libfluid/turbulence/turbulence_forms.hpp"

#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/turbulence/spalart_allmaras_form.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_spalart_allmaras(FlowKind kind, double capturing, bool in_time, CellBatches cells) {
  const ReferenceMetric metric = shared_metric(cells);
  return with_flow_kind(kind, [&]<class K>(K) {
    if (in_time) return make_spalart_allmaras_form(SpalartAllmaras<K, true>{metric, capturing}, std::move(cells));
    return make_spalart_allmaras_form(SpalartAllmaras<K, false>{metric, capturing}, std::move(cells));
  });
}

}  // namespace invar
