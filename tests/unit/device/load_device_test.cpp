// Loads, inertia and damping of solids on a device: forms on facets and points, of several levels, without symmetry.
#include "libfem/form/at_nodes.hpp"
#include "libfem/solid/active_stress.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfem/solid/inertia_forms.hpp"
#include "libfem/solid/kelvin_voigt.hpp"
#include "libfem/solid/load_forms.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "tests/unit/device/form_comparison.hpp"

namespace invar::device_test {
namespace {

std::vector<Component> plane() { return {{"u_x", 2}, {"u_y", 2}}; }
std::vector<Component> space() { return {{"u_x", 2}, {"u_y", 2}, {"u_z", 2}}; }

TEST(LoadDevice, LoadsAreThoseOfTheHost) {
  using std::move;
  expect_same_as_host(listed_case<LoadOrFoundation<3, 3, false>>("body force", Domain::cells, space(), {1, -2, 3},
                                [](CellBatches on) { return make_body_force(SolidKind::spatial, move(on)); }));
  expect_same_as_host(form_case("foundation", LoadOrFoundation<2, 1, true>{true}, Domain::facets, plane(), {1, 2},
                                [](CellBatches on) { return make_elastic_foundation(SolidKind::axisymmetric, move(on)); }));
  expect_same_as_host(listed_case<FollowerPressure<3, false>>("pressure", Domain::facets, space(), {2},
                                [](CellBatches on) { return make_follower_pressure(SolidKind::spatial, move(on)); }));
  expect_same_as_host(listed_case<LoadOrFoundation<2, 0, false>>("spring", Domain::points, plane(), {1, 2},
                                [](CellBatches on) { return make_point_spring(SolidKind::plane_strain, move(on)); }));
}

TEST(LoadDevice, WhatTimeAddsIsThatOfTheHost) {
  using std::move;
  expect_same_as_host(form_case("muscle", ActiveStress<PlanarKinematics>{}, Domain::cells, plane(), {2, 1, 0.3},
                                [](CellBatches on) { return make_active_stress(SolidKind::plane_strain, move(on)); }));
  expect_same_as_host(listed_case<Inertia<2, 2, false>>("inertia", Domain::cells, plane(), {3},
                                [](CellBatches on) { return make_inertia(SolidKind::plane_strain, move(on)); }));
  expect_same_as_host(listed_case<Inertia<2, 2, false>>("lumped inertia", Domain::cells, plane(), {3},
                                [](CellBatches on) { return make_inertia(SolidKind::plane_strain, at_nodes(move(on))); }));
  expect_same_as_host(form_case("damping of mass", MassDamping<2, false>{}, Domain::cells, plane(), {3, 2},
                                [](CellBatches on) { return make_mass_damping(SolidKind::plane_strain, move(on)); }));
  expect_same_as_host(listed_case<KelvinVoigt<PlanarKinematics>>("damping", Domain::cells, plane(), {3, 2},
                                [](CellBatches on) { return make_kelvin_voigt(SolidKind::plane_strain, move(on)); }));
  expect_same_as_host(form_case("kinetic energy", KineticEnergy<2, false>{}, Domain::cells, plane(), {3},
                                [](CellBatches on) { return make_kinetic_energy(SolidKind::plane_strain, move(on)); }));
}

}  // namespace
}  // namespace invar::device_test
