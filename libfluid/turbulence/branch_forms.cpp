#include "libfluid/turbulence/branch_forms.hpp"

#include "libfem/form/q_form.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/turbulence/spalart_allmaras_branch.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_spalart_allmaras_branch(FlowKind kind, CellBatches cells) {
  const ReferenceMetric metric = shared_metric(cells);
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    return make_form(SpalartAllmarasBranch<K>{metric}, std::move(cells));
  });
}

}  // namespace invar
