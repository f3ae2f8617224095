#include "libfem/form/q_form.hpp"
#include "libfluid/flow/flow_densities.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/objective/flow_objectives.hpp"

namespace invar {
std::unique_ptr<WeakForm> make_flow_volume(FlowKind kind, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) { return make_form(FlowVolume<K>{}, std::move(cells)); });
}
std::unique_ptr<WeakForm> make_volume_moment(FlowKind kind, int component, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) { return make_form(VolumeMoment<K>{component}, std::move(cells)); });
}
std::unique_ptr<WeakForm> make_flow_area(FlowKind kind, CellBatches facets) {
  return with_flow_kind(kind, [&]<class K>(K) { return make_form(FlowArea<K>{}, std::move(facets)); });
}

}  // namespace invar
