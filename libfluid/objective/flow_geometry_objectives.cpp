#include "libfem/form/q_form.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/objective/flow_densities.hpp"
#include "libfluid/objective/flow_objectives.hpp"

namespace invar {
namespace {

template <class Q>
std::unique_ptr<WeakForm> form(Q q, CellBatches& domain) {
  return std::make_unique<QForm<Q>>(std::move(q), std::move(domain));
}

}  // namespace

std::unique_ptr<WeakForm> make_flow_volume(FlowKind kind, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) { return form(FlowVolume<K>{}, cells); });
}
std::unique_ptr<WeakForm> make_volume_moment(FlowKind kind, int component, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) { return form(VolumeMoment<K>{component}, cells); });
}
std::unique_ptr<WeakForm> make_flow_area(FlowKind kind, CellBatches facets) {
  return with_flow_kind(kind, [&]<class K>(K) { return form(FlowArea<K>{}, facets); });
}

}  // namespace invar
