#include "libfem/form/q_form.hpp"
#include "libfluid/flow/flow_densities.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/objective/flow_objectives.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_dissipation(FlowKind kind, ViscosityLaw law, CellBatches cells, bool turbulent) {
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    if (turbulent) return make_form(Dissipation<K, true>{law}, std::move(cells));
    return make_form(Dissipation<K>{law}, std::move(cells));
  });
}

}  // namespace invar
