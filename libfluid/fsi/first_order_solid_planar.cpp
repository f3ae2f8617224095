#include "libfem/form/q_form.hpp"
#include "libfem/solid/displacement_form.hpp"
#include "libfem/solid/shared_material.hpp"
#include "libfluid/fsi/first_order.hpp"
#include "libfluid/fsi/fsi_forms.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_first_order_solid(SolidKind kind, std::shared_ptr<const Material> material, CellBatches cells) {
  if (kind != SolidKind::plane_strain && kind != SolidKind::plane_stress)
    throw std::invalid_argument("fluid-structure interaction is planar");
  return make_form(FirstOrder<DisplacementForm<PlanarKinematics, SharedMaterial>>{{std::move(material)}}, std::move(cells));
}

}  // namespace invar
