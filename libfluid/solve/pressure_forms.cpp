#include "libfluid/solve/pressure_forms.hpp"

#include "libfem/form/q_form.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/solve/pressure_operator.hpp"

namespace invar {

PressureForms make_pressure_forms(FlowKind kind, const CellBatches& cells) {
  return with_flow_kind(kind, [&]<class K>(K) -> PressureForms {
    using Q = PressureOperator<K>;
    const auto form = [&](typename Q::Kind which) { return make_form(Q{which}, cells); };
    return {form(Q::Kind::mass), form(Q::Kind::diffusion), form(Q::Kind::convection)};
  });
}

}  // namespace invar
