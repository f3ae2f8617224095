#include "libfluid/flow/passive_scalar_forms.hpp"

#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/flow/passive_scalar_form.hpp"
#include "libfluid/flow/with_flow_kind.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_passive_scalar(FlowKind kind, ScalarTransport transport, CellBatches cells) {
  const ReferenceMetric metric = shared_metric(cells);
  return with_flow_kind(kind, [&]<class K>(K) { return make_passive_scalar_form<K>(transport, metric, std::move(cells)); });
}

}  // namespace invar
