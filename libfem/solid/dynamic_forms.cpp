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

// In plane stress the thickness depends on the passive law only, because in-plane fibres have no stress across the plane.
std::unique_ptr<WeakForm> make_active_stress(SolidKind kind, CellBatches cells) { return make_stress<ActiveStress>(kind, cells); }

namespace {

template <class Pressure>
std::unique_ptr<WeakForm> make_contact_with(SolidKind kind, ObstacleShape shape, CellBatches facets, const std::shared_ptr<const RelativeUnknown>& carrier) {
  std::unique_ptr<WeakForm> form;
  if (kind == SolidKind::spatial) form = make_form(RigidContact<3, Pressure>{shape}, std::move(facets));
  else form = make_form(RigidContact<2, Pressure>{shape, kind == SolidKind::axisymmetric}, std::move(facets));
  if (carrier) form = std::make_unique<RelativeForm>(std::move(form), carrier);
  return form;
}

std::shared_ptr<const RelativeUnknown> carried_by(const std::string& carrier, const CellBatches& facets) {
  return carrier.empty() ? nullptr : std::make_shared<const RelativeUnknown>(facets, carrier);
}

}  // namespace

std::unique_ptr<WeakForm> make_rigid_contact(SolidKind kind, ObstacleShape shape, CellBatches facets, const std::string& carrier) {
  const auto relative = carried_by(carrier, facets);
  return make_contact_with<PenaltyPressure>(kind, shape, std::move(facets), relative);
}

std::unique_ptr<WeakForm> make_obstacle_contact(SolidKind kind, ObstacleShape shape, CellBatches facets, const std::string& carrier) {
  CellBatches points = on_lattice(std::move(facets));
  auto relative = carried_by(carrier, points);
  auto form = make_contact_with<BarrierPressure>(kind, shape, points, relative);
  return std::make_unique<ObstacleForm>(std::move(form), std::move(points), shape, std::move(relative));
}

}  // namespace invar
