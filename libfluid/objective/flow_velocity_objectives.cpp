#include "libfem/form/q_form.hpp"
#include "libfluid/flow/flow_densities.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/objective/flow_objectives.hpp"

namespace invar {
std::unique_ptr<WeakForm> make_kinetic_energy(FlowKind kind, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) { return make_form(FlowKineticEnergy<K>{}, std::move(cells)); });
}
std::unique_ptr<WeakForm> make_velocity_misfit(FlowKind kind, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) { return make_form(VelocityMisfit<K>{}, std::move(cells)); });
}
std::unique_ptr<WeakForm> make_flow_rate(FlowKind kind, CellBatches facets) {
  return with_flow_kind(kind, [&]<class K>(K) { return make_form(FlowRate<K>{}, std::move(facets)); });
}

}  // namespace invar
