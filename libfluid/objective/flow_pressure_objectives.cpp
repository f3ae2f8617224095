#include "libfem/form/q_form.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/objective/flow_densities.hpp"
#include "libfluid/objective/flow_objectives.hpp"

namespace invar {
namespace {

template <class Q>
std::unique_ptr<WeakForm> form(CellBatches& facets) {
  return std::make_unique<QForm<Q>>(Q{}, std::move(facets));
}

}  // namespace

std::unique_ptr<WeakForm> make_pressure_integral(FlowKind kind, FlowDiscretisation discretisation, CellBatches facets) {
  return with_flow_kind(kind, [&]<class K>(K) {
    return discretisation == FlowDiscretisation::equal_order ? form<PressureIntegral<K, true>>(facets)
                                                             : form<PressureIntegral<K, false>>(facets);
  });
}
std::unique_ptr<WeakForm> make_pressure_misfit(FlowKind kind, FlowDiscretisation discretisation, CellBatches facets) {
  return with_flow_kind(kind, [&]<class K>(K) {
    return discretisation == FlowDiscretisation::equal_order ? form<PressureMisfit<K, true>>(facets)
                                                             : form<PressureMisfit<K, false>>(facets);
  });
}

}  // namespace invar
