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

std::unique_ptr<WeakForm> make_kinetic_energy(FlowKind kind, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) { return form(KineticEnergy<K>{}, cells); });
}
std::unique_ptr<WeakForm> make_velocity_misfit(FlowKind kind, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) { return form(VelocityMisfit<K>{}, cells); });
}
std::unique_ptr<WeakForm> make_flow_rate(FlowKind kind, CellBatches facets) {
  return with_flow_kind(kind, [&]<class K>(K) { return form(FlowRate<K>{}, facets); });
}

}  // namespace invar
