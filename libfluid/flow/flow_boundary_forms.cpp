#include "libfluid/flow/flow_boundary_forms.hpp"

#include "libfem/form/q_form.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/flow/with_flow_kind.hpp"

namespace invar {
namespace {

/// QForm<Q<K>> for the kind of flow.
template <template <class> class Q>
std::unique_ptr<WeakForm> form(FlowKind kind, CellBatches& facets) {
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    return make_form(Q<K>{}, std::move(facets));
  });
}

}  // namespace

std::unique_ptr<WeakForm> make_pressure_outlet(FlowKind kind, CellBatches facets) {
  return form<PressureOutlet>(kind, facets);
}
std::unique_ptr<WeakForm> make_flow_traction(FlowKind kind, CellBatches facets) {
  return form<FlowTraction>(kind, facets);
}
std::unique_ptr<WeakForm> make_backflow_stabilisation(FlowKind kind, CellBatches facets) {
  return form<BackflowStabilisation>(kind, facets);
}
std::unique_ptr<WeakForm> make_slip_penalty(FlowKind kind, CellBatches facets) {
  return form<SlipPenalty>(kind, facets);
}

}  // namespace invar
