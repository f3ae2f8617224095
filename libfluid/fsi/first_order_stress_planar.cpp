#include "libfem/form/q_form.hpp"
#include "libfem/solid/active_stress.hpp"
#include "libfem/solid/kelvin_voigt.hpp"
#include "libfluid/fsi/first_order.hpp"
#include "libfluid/fsi/fsi_forms.hpp"

namespace invar {
namespace {

void require_plane_strain(SolidKind kind) {
  if (kind != SolidKind::plane_strain) throw std::invalid_argument("fluid-structure interaction is planar");
}

}  // namespace

std::unique_ptr<WeakForm> make_first_order_viscosity(SolidKind kind, CellBatches cells) {
  require_plane_strain(kind);
  return make_form(FirstOrder<KelvinVoigt<PlanarKinematics>>{}, std::move(cells));
}

std::unique_ptr<WeakForm> make_first_order_muscle(SolidKind kind, CellBatches cells) {
  require_plane_strain(kind);
  return make_form(FirstOrder<ActiveStress<PlanarKinematics>>{}, std::move(cells));
}

}  // namespace invar
