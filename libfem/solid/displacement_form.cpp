#include "libfem/solid/solid_forms.hpp"

#include "libfem/form/q_form.hpp"
#include "libfem/solid/displacement_form.hpp"
#include "libfem/solid/shared_material.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_displacement_form(SolidKind kind, std::shared_ptr<const Material> material, CellBatches cells) {
  const auto make = [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    return make_form(DisplacementForm<K, SharedMaterial>{std::move(material)}, std::move(cells));
  };
  switch (kind) {
    case SolidKind::spatial: return make(SpatialKinematics{});
    case SolidKind::axisymmetric: return make(AxisymmetricKinematics{});
    default: return make(PlanarKinematics{});
  }
}

}  // namespace invar
