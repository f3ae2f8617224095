#include "libfluid/fsi/fsi_forms.hpp"

#include "libfem/form/q_form.hpp"
#include "libfluid/flow/flow_boundary_forms.hpp"
#include "libfluid/fsi/mesh_velocity_forms.hpp"
#include "libfluid/fsi/moving.hpp"
#include "libfluid/fsi/planar_only.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_moving_inertia(FlowKind kind, CellBatches cells) {
  require_planar(kind);
  return make_form(Moving<MovingMeshInertia<PlanarFlow>, 2>{}, std::move(cells));
}

std::unique_ptr<WeakForm> make_moving_outlet(FlowKind kind, CellBatches facets) {
  require_planar(kind);
  return make_form(Moving<PressureOutlet<PlanarFlow>>{}, std::move(facets));
}

std::unique_ptr<WeakForm> make_body_velocity(FlowKind kind, CellBatches cells) {
  require_planar(kind);
  return make_form(BodyVelocity<PlanarFlow>{}, std::move(cells));
}

}  // namespace invar
