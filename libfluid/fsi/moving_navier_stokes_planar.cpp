#include "libfem/form/q_form.hpp"
#include "libfluid/flow/navier_stokes.hpp"
#include "libfluid/fsi/fsi_forms.hpp"
#include "libfluid/fsi/moving.hpp"
#include "libfluid/fsi/planar_only.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_moving_navier_stokes(FlowKind kind, const FlowModel& model, CellBatches cells) {
  require_planar(kind);
  if (model.turbulent || model.grad_div != 0) throw std::invalid_argument("flow on a moving mesh has neither turbulence nor a grad-div term");
  return make_form(Moving<NavierStokes<PlanarFlow, false>>{{model.law, model.convection, model.stress_form}}, std::move(cells));
}

}  // namespace invar
