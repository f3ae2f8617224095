#include "libfem/form/q_form.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/fsi/flow_boundary_term.hpp"
#include "libfluid/fsi/fsi_forms.hpp"
#include "libfluid/fsi/moving.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_moving_boundary(FlowKind kind, FlowBoundary which, CellBatches facets) {
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    return make_form(Moving<FlowBoundaryTerm<K>>{{which}}, std::move(facets));
  });
}

}  // namespace invar
