#include "libfem/solid/dynamic_forms.hpp"

#include <stdexcept>

#include "libfem/form/q_form.hpp"
#include "libfem/solid/active_stress.hpp"
#include "libfem/solid/inertia_forms.hpp"
#include "libfem/solid/kelvin_voigt.hpp"
#include "libfem/solid/obstacle_form.hpp"

namespace invar {
namespace {

template <template <int, bool> class Q>
std::unique_ptr<WeakForm> make(SolidKind kind, CellBatches& cells) {
  if (kind == SolidKind::spatial) return make_form(Q<3, false>{}, std::move(cells));
  if (kind == SolidKind::axisymmetric) return make_form(Q<2, true>{}, std::move(cells));
  return make_form(Q<2, false>{}, std::move(cells));
}

template <int Dim, bool Axisymmetric>
using BodyInertia = Inertia<Dim, Dim, Axisymmetric>;
template <int Dim, bool Axisymmetric>
using CoatInertia = Inertia<Dim, Dim - 1, Axisymmetric>;

template <template <class> class Q>
std::unique_ptr<WeakForm> make_stress(SolidKind kind, CellBatches& cells) {
  switch (kind) {
    case SolidKind::spatial: return make_form(Q<SpatialKinematics>{}, std::move(cells));
    case SolidKind::axisymmetric:
      return make_form(Q<AxisymmetricKinematics>{}, std::move(cells));
    default: return make_form(Q<PlanarKinematics>{}, std::move(cells));
  }
}

}  // namespace

std::unique_ptr<WeakForm> make_inertia(SolidKind kind, CellBatches cells) { return make<BodyInertia>(kind, cells); }

std::unique_ptr<WeakForm> make_coat_inertia(SolidKind kind, CellBatches facets) { return make<CoatInertia>(kind, facets); }

std::unique_ptr<WeakForm> make_mass_damping(SolidKind kind, CellBatches cells) { return make<MassDamping>(kind, cells); }

std::unique_ptr<WeakForm> make_kinetic_energy(SolidKind kind, CellBatches cells) { return make<KineticEnergy>(kind, cells); }

std::unique_ptr<WeakForm> make_kelvin_voigt(SolidKind kind, CellBatches cells) {
  if (kind == SolidKind::plane_stress)
    throw std::invalid_argument("a viscous stress in plane stress would need the rate of the thickness");
  return make_stress<KelvinVoigt>(kind, cells);
}

// In plane stress the thickness follows the law alone: fibres in the plane pull in the plane.
std::unique_ptr<WeakForm> make_active_stress(SolidKind kind, CellBatches cells) { return make_stress<ActiveStress>(kind, cells); }

std::unique_ptr<WeakForm> make_rigid_contact(SolidKind kind, ObstacleShape shape, CellBatches facets) {
  if (kind == SolidKind::axisymmetric) throw std::invalid_argument("there is no contact of axisymmetric bodies");
  if (kind == SolidKind::spatial) return make_form(RigidContact<3>{shape}, std::move(facets));
  return make_form(RigidContact<2>{shape}, std::move(facets));
}

std::unique_ptr<WeakForm> make_obstacle_contact(SolidKind kind, ObstacleShape shape, CellBatches facets) {
  if (kind == SolidKind::axisymmetric) throw std::invalid_argument("there is no contact of axisymmetric bodies with obstacles");
  CellBatches points = on_lattice(std::move(facets));
  std::unique_ptr<WeakForm> form;
  if (kind == SolidKind::spatial) form = make_form(RigidContact<3, BarrierPressure>{shape}, points);
  else form = make_form(RigidContact<2, BarrierPressure>{shape}, points);
  return std::make_unique<ObstacleForm>(std::move(form), std::move(points), shape);
}

}  // namespace invar
