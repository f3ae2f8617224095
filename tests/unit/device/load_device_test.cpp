// Forms of solids that are in no list of the libraries: on facets around an axis, of several levels, and a functional.
#include "libfem/solid/active_stress.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfem/solid/inertia_forms.hpp"
#include "libfem/solid/load_forms.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "tests/unit/device/form_comparison.hpp"

namespace invar::device_test {
namespace {

std::vector<Component> plane() { return {{"u_x", 2}, {"u_y", 2}}; }

TEST(LoadDevice, LoadsAroundAnAxisAreThoseOfTheHost) {
  expect_same_as_host(form_case("foundation", LoadOrFoundation<2, 1, true>{true}, Domain::facets, plane(), {1, 2},
                                [](CellBatches on) { return make_elastic_foundation(SolidKind::axisymmetric, std::move(on)); }));
}

TEST(LoadDevice, WhatTimeAddsIsThatOfTheHost) {
  using std::move;
  expect_same_as_host(form_case("muscle", ActiveStress<PlanarKinematics>{}, Domain::cells, plane(), {2, 1, 0.3},
                                [](CellBatches on) { return make_active_stress(SolidKind::plane_strain, move(on)); }));
  expect_same_as_host(form_case("damping of mass", MassDamping<2, false>{}, Domain::cells, plane(), {3, 2},
                                [](CellBatches on) { return make_mass_damping(SolidKind::plane_strain, move(on)); }));
  expect_same_as_host(form_case("kinetic energy", KineticEnergy<2, false>{}, Domain::cells, plane(), {3},
                                [](CellBatches on) { return make_kinetic_energy(SolidKind::plane_strain, move(on)); }));
}

}  // namespace
}  // namespace invar::device_test
