#include "libfluid/solve/pressure_forms.hpp"

#include "libfem/form/q_form.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/solve/pressure_operator.hpp"

namespace invar {

PressureForms make_pressure_forms(FlowKind kind, const CellBatches& cells) {
  return with_flow_kind(kind, [&]<class K>(K) -> PressureForms {
    using Q = PressureOperator<K>;
    return {std::make_unique<QForm<Q>>(Q{Q::Kind::mass}, cells), std::make_unique<QForm<Q>>(Q{Q::Kind::diffusion}, cells),
            std::make_unique<QForm<Q>>(Q{Q::Kind::convection}, cells)};
  });
}

std::unique_ptr<WeakForm> make_viscosity_integral(FlowKind kind, const ViscosityLaw& law, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    return std::make_unique<QForm<ViscosityDensity<K>>>(ViscosityDensity<K>{law}, std::move(cells));
  });
}

}  // namespace invar
