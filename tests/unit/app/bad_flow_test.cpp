#include <gtest/gtest.h>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/channel.hpp"
#include "tests/unit/app/program.hpp"
#include "tests/unit/app/refused.hpp"

namespace invar::test {
namespace {

using test::expect_refused;
void expect_refused(const ChannelEdits& edits, const std::vector<std::string>& words) { expect_refused(channel(edits), words); }

TEST(BadFlow, WordsOfTheOtherPhysics) {
  expect_refused({{"newtonian, density: 2, viscosity: 0.5", "neo_hookean, young: 1, poisson: 0.3"}},
                 {"spec.yaml:5:18: error: the physics is 'flow', which has no material 'neo_hookean'", "allowed: newtonian, carreau, power_law"});
  expect_refused(beam({{"{model: neo_hookean, young: 100, poisson: 0.3}", "{model: newtonian, density: 1, viscosity: 1}"}}),
                 {"the physics is 'solid', which has no material 'newtonian'"});
  expect_refused({{"type: pressure, region: right, p: 0", "type: foundation, region: right"}},
                 {"the physics is 'flow', which has no load 'foundation'", "allowed: pressure, traction, body_force, backflow, slip"});
  expect_refused(beam({{"type: traction, region: right, y: 0.1", "type: slip, region: right, penalty: 1"}}), {"the physics is 'solid', which has no load 'slip'"});
  expect_refused(beam({{"left: {u_x: 0, u_y: 0}", "left: {no_slip: true}"}}), {"spec.yaml:7:10: error: 'no_slip' is for flow", "allowed: u_x, u_y, u_z"});
  expect_refused(beam({{"{type: markers, file: markers.csv}", "{type: dissipation}"}}), {"the physics is 'solid', which has no quantity 'dissipation'"});
  expect_refused({{"kind: planar", "kind: planar, order: 2"}}, {"spec.yaml:3:37: error: key 'order' does not belong to type: flow, but to solid"});
  expect_refused(beam({{"kind: plane_strain", "kind: plane_strain, equations: stokes"}}), {"key 'equations' does not belong to type: solid, but to flow"});
}

TEST(BadFlow, Values) {
  expect_refused({{"density: 2, ", ""}}, {"spec.yaml:5:3: error: missing key 'density'"});
  expect_refused({{"viscosity: 0.5", "viscosity: -1"}}, {"expected a number > 0"});
  expect_refused({{"bottom: {", "botom: {"}}, {"spec.yaml:8:3: error: the mesh has no region 'botom'; did you mean 'bottom'?"});
  expect_refused({{"region: right", "region: rigth"}}, {"the mesh has no facet region 'rigth'; did you mean 'right'?"});
  expect_refused({{"kind: planar", "kind: spatial"}}, {"the mesh has dimension 2 and the kind is 'spatial'; use planar or axisymmetric"});
  expect_refused({{"bottom: {no_slip: true}", "bottom: {no_slip: true, u_x: 1}"}}, {"'no_slip' prescribes zero velocity; remove it or 'u_x'"});
  expect_refused({{"bottom: {no_slip: true}", "bottom: {no_slip: true, adds: true}"}},
                 {"spec.yaml:8:33: error: 'no_slip' prescribes zero velocity, which adds nothing; remove one of the two"});
  expect_refused({{"  top: {no_slip: true}", "  top: {no_slip: true, p: 0}"}},
                 {"'p' prescribes the pressure of an enclosed flow at a point, and 'top' is none", "type: pressure, region: top"});
  expect_refused({{"p: 0}", "p: 0}\n  a: {type: body_force, x: 1}\n  b: {type: body_force, y: 1}"}}, {"the fluid 'water' already has the body force 'a'"});
}

TEST(BadFlow, LoadsWhereTheVelocityIsPrescribed) {
  for (const char* load : {"type: pressure, p: 3, region: top", "type: traction, x: 1, region: left", "type: slip, penalty: 1, region: bottom"})
    expect_refused({{"p: 0}", std::string("p: 0}\n  idle: {") + load + "}"}}, {"spec.yaml:12:", "is prescribed, and the load '", "leave out one of the two"});
}

TEST(BadFlow, HolesAndContinuation) {
  const auto hole = [](const std::string& box) { return "cells: [4, 2]}, holes: {step: " + box + "}"; };
  expect_refused({{"cells: [4, 2]}", hole("{from: [0, 0], to: [0.7, 0.5]}")}}, {"spec.yaml:2:", "mesh.holes.step", "reach to x = 0.5, not to 0.7"});
  expect_refused({{"cells: [4, 2]}", hole("{from: [0, 0, 0], to: [1, 1, 1]}")}}, {"the mesh has 2 coordinates"});
  expect_refused({{"cells: [4, 2]}", hole("{from: [5, 0], to: [6, 1]}")}}, {"no cell lies in the box"});
  expect_refused({{"kind: planar", "kind: planar, equations: stokes"}, {"output:", "solver: {continuation: pseudo_time}\noutput:"}},
                 {"'pseudo_time' is for steady Navier-Stokes flow", "use auto"});
  expect_refused(beam({{"left: {u_x: 0, u_y: 0}", "left: {u_x: 0, u_y: 0}\nsolver: {continuation: viscosity}"}}), {"'viscosity' is for flow", "use auto"});
  expect_refused({{"output:", "solver: {continuation: stiffness}\noutput:"}}, {"'stiffness' is for fluid-structure interaction", "use auto"});
}

TEST(BadFlow, Quantities) {
  const auto with = [](const std::string& text) { return channel() + "  quantities:\n    q: " + text + "\n"; };
  expect_refused(with("{type: force, region: bottom, direction: [1, 0, 0]}"), {"spec.yaml:18:49: error: the direction must have 2 components"});
  expect_refused(with("{type: flow_rate, region: outlet}"), {"the mesh has no facet region 'outlet'"});
  expect_refused(with("{type: pressure_drop, from: [0, 0], to: [3, 0]}"), {"the point lies outside the mesh, by 1 m"});
  expect_refused(with("{type: pressure_drop, from: [0, 0, 0], to: [1, 0]}"), {"the mesh has dimension 2: give as many coordinates"});
  expect_refused(with("{type: extremum, component: c, from: [0, 0], to: [1, 0], kind: max}"), {"the unknown has no component 'c'", "its components: u_x, u_y, p"});
  expect_refused(with("{type: extremum, component: p, from: [0, 0], to: [1, 2], kind: max}"), {"the line leaves the mesh, by 1 m"});
  expect_refused(with("{type: extremum, component: p, from: [0, 0], kind: max}"), {"a line from one point needs another", "add 'to'"});
  expect_refused(with("{type: extremum, component: p, region: all, from: [0, 0], to: [1, 0], kind: max}"), {"only one of from, region may be given"});
  expect_refused(with("{type: extremum, component: p, region: all, kind: max, give: z}"), {"the mesh is two-dimensional; use x or y"});
  expect_refused(with("{type: extremum, component: w, region: all, kind: max}"), {"unknown value 'w'", "allowed: u_x, u_y, u_z, p, c, chi"});
  expect_refused(with("{type: extremum, component: p, region: nowhere, kind: max}"), {"the mesh has no region 'nowhere'"});
  expect_refused(with("{type: wall_shear, region: body, kind: max}"), {"the mesh has no facet region 'body'"});
  expect_refused(with("{type: wall_shear, region: top, kind: zero, number: 0}"), {"expected an integer >= 1"});
  expect_refused(with("{type: wall_shear, region: top, kind: max, statistic: mean}"), {"'mean' is for processes in time"});
  expect_refused(with("{type: stored_energy}"), {"the physics is 'flow', which has no quantity 'stored_energy'"});
  expect_refused(channel() + "  pictures:\n    a: {field: velocity}\n", {"pictures need fields, and 'fields' is none"});
}

TEST(BadFlow, Constraints) {
  const std::string design = channel() + "design:\n  - {variable: boundary.left.factor}\nobjective:\n  - {type: dissipation}\nconstraints:\n";
  expect_refused(design + "  - {type: flow_rate, region: right}\n", {"at least one of"});
  expect_refused(design + "  - {type: flow_rate, region: right, lower: 2, upper: 1}\n", {"the lower limit is above the upper one"});
  expect_refused(design + "  - {type: kinetic_energy, upper: 1}\n  - {type: kinetic_energy, upper: 2}\n", {"there is already a constraint 'kinetic_energy'"});
  expect_refused(design + "  - {type: kinetic_energy, upper: 1}\noptimizer: {method: quasi_newton}\n", {"quasi_newton takes no constraints; use sqp or mma"});
  expect_refused(channel() + "constraints:\n  - {type: kinetic_energy, upper: 1}\n", {"there are 'constraints' without a 'design'"});
}

}  // namespace
}  // namespace invar::test
