#include "libfem/form/q_form.hpp"
#include "libfluid/flow/flow_densities.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/objective/flow_objectives.hpp"

namespace invar {
std::unique_ptr<WeakForm> make_pressure_integral(FlowKind kind, FlowDiscretisation discretisation, CellBatches facets) {
  return with_flow_kind(kind, [&]<class K>(K) {
    return discretisation == FlowDiscretisation::equal_order ? make_form(PressureIntegral<K, true>{}, std::move(facets))
                                                             : make_form(PressureIntegral<K, false>{}, std::move(facets));
  });
}
std::unique_ptr<WeakForm> make_pressure_misfit(FlowKind kind, FlowDiscretisation discretisation, CellBatches facets) {
  return with_flow_kind(kind, [&]<class K>(K) {
    return discretisation == FlowDiscretisation::equal_order ? make_form(PressureMisfit<K, true>{}, std::move(facets))
                                                             : make_form(PressureMisfit<K, false>{}, std::move(facets));
  });
}

}  // namespace invar
