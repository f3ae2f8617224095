// Solids on a device: laws by their type against the virtual Material of the host. The other laws differ in their energies only, whose
// derivatives are tested for every law in room `solid`.
#include "libfem/solid/displacement_form.hpp"
#include "libfem/solid/law/linear_elastic.hpp"
#include "libfem/solid/law/mooney_rivlin.hpp"
#include "libfem/solid/law/neo_hookean.hpp"
#include "libfem/solid/law/neo_hookean_isochoric.hpp"
#include "libfem/solid/law_material.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/mixed_form.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "tests/unit/device/form_comparison.hpp"

namespace invar::device_test {
namespace {

std::vector<Component> displacement(int dim) {
  std::vector<Component> all{{"u_x", 2}, {"u_y", 2}};
  if (dim == 3) all.push_back({"u_z", 2});
  return all;
}

template <class K, class Law>
using Displacement = DisplacementForm<K, LawMaterial<Law, CompressibleForm>>;

template <class Law>
auto displacement_host(SolidKind kind) {
  return [=](CellBatches cells) { return make_displacement_form(kind, make_material({.name = Law::name}), std::move(cells)); };
}
template <class K, class Law>
FormCase displacement_case(SolidKind kind, Array constants) {
  return listed_case<Displacement<K, Law>>(std::string(Law::name), Domain::cells, displacement(K::dim), std::move(constants), displacement_host<Law>(kind));
}
template <class K, class Law>
FormCase mixed_case(SolidKind kind, Array constants) {
  auto components = displacement(K::dim);
  components.push_back({"p", 1});
  const MaterialChoice choice{.name = Law::name, .formulation = Formulation::isochoric};
  return listed_case<MixedForm<K, LawMaterial<Law, IsochoricForm>>>(
      "mixed " + std::string(Law::name), Domain::cells, components, std::move(constants),
      [=](CellBatches cells) { return make_mixed_form(kind, make_material(choice), std::move(cells)); });
}

TEST(LawDevice, EveryKinematicsIsThatOfTheHost) {
  expect_same_as_host(displacement_case<SpatialKinematics, NeoHookean>(SolidKind::spatial, {10, 0.3}));
  expect_same_as_host(displacement_case<PlanarKinematics, NeoHookean>(SolidKind::plane_strain, {10, 0.3}));
  expect_same_as_host(displacement_case<AxisymmetricKinematics, NeoHookean>(SolidKind::axisymmetric, {10, 0.3}));
}

TEST(LawDevice, EveryMeasureIsThatOfTheHost) {
  // Both invariants; a law of no list.
  expect_same_as_host(form_case("mooney_rivlin", Displacement<SpatialKinematics, MooneyRivlin>{}, Domain::cells, displacement(3), {2, 0.5, 30},
                                displacement_host<MooneyRivlin>(SolidKind::spatial)));
  expect_same_as_host(displacement_case<PlanarKinematics, LinearElastic>(SolidKind::plane_strain, {10, 0.3}));  // small strains
}

TEST(LawDevice, MixedFormsAreThoseOfTheHost) {
  expect_same_as_host(mixed_case<PlanarKinematics, NeoHookeanIsochoric>(SolidKind::plane_strain, {10, 300}));
}

TEST(LawDevice, TurnedOverCellsAreSeen) {
  Comparison(displacement_case<PlanarKinematics, NeoHookean>(SolidKind::plane_strain, {10, 0.3}), Shape::triangle, 2,
             make_device(Device::Kind::emulation))
      .expect_inadmissible();
}

}  // namespace
}  // namespace invar::device_test
