#include "libfluid/flow/unsteady_forms.hpp"

#include "libfem/form/q_form.hpp"
#include "libfluid/flow/flow_inertia.hpp"
#include "libfluid/flow/with_flow_kind.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_flow_inertia(FlowKind kind, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    return make_form(FlowInertia<K>{}, std::move(cells));
  });
}

std::unique_ptr<WeakForm> make_linearised_convection(FlowKind kind, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    return make_form(LinearisedConvection<K>{}, std::move(cells));
  });
}

}  // namespace invar
