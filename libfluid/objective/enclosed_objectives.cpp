#include "libfem/form/q_form.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/objective/enclosed_densities.hpp"
#include "libfluid/objective/flow_objectives.hpp"

namespace invar {
namespace {

template <class Q>
std::unique_ptr<WeakForm> form(Q q, CellBatches& facets) {
  return std::make_unique<QForm<Q>>(std::move(q), std::move(facets));
}

}  // namespace

std::unique_ptr<WeakForm> make_enclosed_volume(FlowKind kind, int component, CellBatches facets) {
  return with_flow_kind(kind, [&]<class K>(K) { return form(EnclosedVolume<K>{{component}}, facets); });
}
std::unique_ptr<WeakForm> make_enclosed_moment(FlowKind kind, int component, CellBatches facets) {
  return with_flow_kind(kind, [&]<class K>(K) { return form(EnclosedMoment<K>{{component}}, facets); });
}

}  // namespace invar
