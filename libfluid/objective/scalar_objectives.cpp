#include "libfem/form/q_form.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/objective/flow_objectives.hpp"
#include "libfluid/objective/scalar_densities.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_scalar_content(FlowKind kind, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    return make_form(ScalarContent<K>{}, std::move(cells));
  });
}
std::unique_ptr<WeakForm> make_scalar_outflow(FlowKind kind, CellBatches facets) {
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    return make_form(ScalarOutflow<K>{}, std::move(facets));
  });
}

}  // namespace invar
