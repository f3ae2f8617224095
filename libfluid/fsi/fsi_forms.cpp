#include "libfluid/fsi/fsi_forms.hpp"

#include <stdexcept>

#include "libfem/form/q_form.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/fsi/mesh_velocity_forms.hpp"
#include "libfluid/fsi/moving.hpp"
#include "libfluid/fsi/moving_navier_stokes_form.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_moving_navier_stokes(FlowKind kind, const FlowModel& model, CellBatches cells) {
  if (model.turbulent || model.grad_div != 0) throw std::invalid_argument("flow on a moving mesh supports neither turbulence nor a grad-div term");
  return with_flow_kind(kind, [&]<class K>(K) { return make_moving_navier_stokes_form<K>(model, std::move(cells)); });
}

std::unique_ptr<WeakForm> make_moving_inertia(FlowKind kind, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    return make_form(Moving<MovingMeshInertia<K>, K::dim>{}, std::move(cells));
  });
}

std::unique_ptr<WeakForm> make_body_velocity(FlowKind kind, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    return make_form(BodyVelocity<K>{}, std::move(cells));
  });
}

}  // namespace invar
