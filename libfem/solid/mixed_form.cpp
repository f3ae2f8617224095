#include "libfem/solid/solid_forms.hpp"

#include "libfem/form/q_form.hpp"
#include "libfem/solid/mixed_form.hpp"
#include "libfem/solid/shared_material.hpp"
#include "libfem/solid/swollen_material.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_mixed_form(SolidKind kind, std::shared_ptr<const Material> material, CellBatches cells) {
  const auto make = [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    const int swelling = swelling_index(*material);
    return make_form(MixedForm<K, SharedMaterial>{std::move(material), swelling}, std::move(cells));
  };
  switch (kind) {
    case SolidKind::spatial: return make(SpatialKinematics{});
    case SolidKind::axisymmetric: return make(AxisymmetricKinematics{});
    default: return make(PlanarKinematics{});
  }
}

}  // namespace invar
