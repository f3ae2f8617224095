#include "libfem/form/q_form.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/objective/enclosed_densities.hpp"
#include "libfluid/objective/flow_objectives.hpp"

namespace invar {
std::unique_ptr<WeakForm> make_enclosed_volume(FlowKind kind, int component, CellBatches facets) {
  return with_flow_kind(kind, [&]<class K>(K) { return make_form(EnclosedVolume<K>{{component}}, std::move(facets)); });
}
std::unique_ptr<WeakForm> make_enclosed_moment(FlowKind kind, int component, CellBatches facets) {
  return with_flow_kind(kind, [&]<class K>(K) { return make_form(EnclosedMoment<K>{{component}}, std::move(facets)); });
}

}  // namespace invar
