#include "libfluid/fsi/fsi_forms.hpp"

#include "libfem/form/q_form.hpp"
#include "libfluid/flow/flow_inertia.hpp"
#include "libfluid/flow/navier_stokes.hpp"
#include "libfluid/flow/passive_scalar.hpp"
#include "libfluid/flow/stabilised_inertia.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/fsi/body_velocity.hpp"
#include "libfluid/fsi/moving.hpp"
#include "libfluid/fsi/moving_form.hpp"
#include "libfluid/turbulence/spalart_allmaras.hpp"
#include "libfluid/turbulence/spalart_allmaras_branch.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_moving_navier_stokes(FlowKind kind, FlowDiscretisation discretisation, const FlowModel& m, CellBatches cells) {
  check_flow_model(discretisation, m);
  return with_flow_kind(kind, [&]<class K>(K) {
    if (discretisation == FlowDiscretisation::taylor_hood)
      return make_moving_form(NavierStokes<K, false>{m.law, m.convection, m.stress_form, {}, m.grad_div}, std::move(cells));
    const ReferenceMetric metric = shared_metric(cells);
    if (m.turbulent) return make_moving_form(NavierStokes<K, true, true>{m.law, m.convection, m.stress_form, metric, 0}, std::move(cells));
    return make_moving_form(NavierStokes<K, true>{m.law, m.convection, m.stress_form, metric, 0}, std::move(cells));
  });
}

std::unique_ptr<WeakForm> make_moving_inertia(FlowKind kind, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    return make_form(Moving<FlowInertia<K>>{}, std::move(cells));
  });
}

std::unique_ptr<WeakForm> make_moving_stabilised_inertia(FlowKind kind, const FlowModel& model, CellBatches cells) {
  const ReferenceMetric metric = shared_metric(cells);
  return with_flow_kind(kind, [&]<class K>(K) {
    if (model.turbulent) return make_moving_form(StabilisedInertia<K, true>{model.law, model.convection, metric}, std::move(cells));
    return make_moving_form(StabilisedInertia<K, false>{model.law, model.convection, metric}, std::move(cells));
  });
}

std::unique_ptr<WeakForm> make_moving_scalar(FlowKind kind, CellBatches cells) {
  const ReferenceMetric metric = shared_metric(cells);
  return with_flow_kind(kind, [&]<class K>(K) { return make_moving_form(PassiveScalar<K, Level::value, true>{metric}, std::move(cells)); });
}

std::unique_ptr<WeakForm> make_moving_spalart_allmaras(FlowKind kind, double capturing, CellBatches cells) {
  const ReferenceMetric metric = shared_metric(cells);
  return with_flow_kind(kind, [&]<class K>(K) { return make_moving_form(SpalartAllmaras<K, true>{metric, capturing}, std::move(cells)); });
}

std::unique_ptr<WeakForm> make_moving_spalart_allmaras_branch(FlowKind kind, CellBatches cells) {
  const ReferenceMetric metric = shared_metric(cells);
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    return make_form(Moving<SpalartAllmarasBranch<K>>{{metric}}, std::move(cells));
  });
}

std::unique_ptr<WeakForm> make_body_velocity(FlowKind kind, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    return make_form(BodyVelocity<K>{}, std::move(cells));
  });
}

}  // namespace invar
