#include "libfem/form/q_form.hpp"
#include "libfluid/flow/flow_densities.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/objective/flow_objectives.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_dissipation(FlowKind kind, ViscosityLaw law, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    return make_form(Dissipation<K>{law}, std::move(cells));
  });
}

}  // namespace invar
