#include "libfem/solid/memory_forms.hpp"

#include <stdexcept>

#include "libfem/form/q_form.hpp"
#include "libfem/solid/finite_plastic_flow.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/maxwell_branches.hpp"
#include "libfem/solid/plastic_flow.hpp"

namespace invar {
namespace {

template <template <class> class Q, class... Parts>
std::unique_ptr<WeakForm> make(SolidKind kind, CellBatches& cells, Parts... parts) {
  const auto with = [&](auto q) { return make_form(q, std::move(cells)); };
  switch (kind) {
    case SolidKind::spatial: return with(Q<SpatialKinematics>{parts...});
    case SolidKind::axisymmetric: return with(Q<AxisymmetricKinematics>{parts...});
    case SolidKind::plane_strain: return with(Q<PlanarKinematics>{parts...});
    default: throw std::invalid_argument("plane stress with history variables would need the thickness as one of them");
  }
}

}  // namespace

int max_maxwell_branches(SolidKind kind) {
  return kind == SolidKind::spatial ? MaxwellBranches<SpatialKinematics>::max_branches
                                    : MaxwellBranches<PlanarKinematics>::max_branches;
}

std::unique_ptr<WeakForm> make_maxwell_branches(SolidKind kind, int branches, CellBatches cells) {
  if (branches < 1 || branches > max_maxwell_branches(kind)) throw std::invalid_argument("too few or too many branches");
  return make<MaxwellBranches>(kind, cells, branches);
}

std::unique_ptr<WeakForm> make_plastic_flow(SolidKind kind, CellBatches cells) { return make<PlasticFlow>(kind, cells); }

std::unique_ptr<WeakForm> make_finite_plastic_flow(SolidKind kind, CellBatches cells) {
  MaterialChoice hencky;
  hencky.name = "hencky";
  hencky.formulation = Formulation::isochoric;
  return make<FinitePlasticFlow>(kind, cells, std::shared_ptr<const Material>(make_material(hencky)));
}

std::optional<PlasticStrain> plasticity_of(std::string_view law) {
  if (law == "linear_elastic") return PlasticStrain::small;
  if (law == "hencky") return PlasticStrain::finite;
  return std::nullopt;
}

}  // namespace invar
