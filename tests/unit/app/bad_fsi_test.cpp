// Mistakes in specs of fluid-structure interaction: one message each, with position and correction.
#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/soft_gate.hpp"

namespace invar::test {
namespace {

const GateEdits closed{{"left: {v_x: \"4*y*(1 - y)\", v_y: 0}", "left: {no_slip: true}"}, {"right: {v_y: 0}", "right: {no_slip: true}"},
                       {"top: {no_slip: true}", "top: {v_x: 1, v_y: 0}"}};
const char* const two_steps = "time: {scheme: bdf2, end: 0.2, steps: 2}\n";

TEST(BadFsi, ContinuationIsNamedAfterWhatItChanges) {
  expect_refused(gate("solver: {continuation: viscosity}\n"), {"'viscosity' is for flow", "use auto"});
  expect_refused(gate(std::string(two_steps) + "solver: {continuation: stiffness}\n"), {"'stiffness' is for steady problems"});
}

TEST(BadFsi, AnEnclosedFluidAtRestNeedsAPressureLevel) {
  expect_refused(gate("", closed), {"spec.yaml:12:1: error: the fluid of case 'case' is enclosed", "at rest the level of the pressure is undetermined", "boundary: {POINT: {p: 0}}"});
  // In time the body gives way, unless it is held.
  GateEdits held = closed;
  held.push_back({"clamped: true}", "clamped: true}\n  gate: {clamped: true}"});
  expect_refused(gate(two_steps, held), {"no part of the body can move under its pressure", "leave a boundary open"});
  expect_refused(gate("  left_top: {p: 0}\n"), {"spec.yaml:17:14: error: the fluid is not enclosed", "leave 'p' out"});
  expect_refused(gate("  left_top: {p: 0}\n" + std::string(two_steps), closed), {"the motion of a body, determines the pressure level"});
  expect_refused(gate("  left: {p: 0}\n", {{"left: {v_x: \"4*y*(1 - y)\", v_y: 0}", "right_top: {v_x: 0, v_y: 0}"}}), {"'left' is none", "type: pressure"});
}

// What a body at rest does not have, and what only other physics read, has no effect.
TEST(BadFsi, WhatHasNoEffectIsRefused) {
  for (const char* const given : {"shear_viscosity: 3", "mass_damping: 1", "relaxation: {a: {shear: 10, time: 0.1}}"})
    expect_refused(gate("", {{"density: 2}", "density: 2, " + std::string(given) + "}"}}), {"' is for processes in time"});
  expect_refused(gate("", {{"neo_hookean", "hencky"}, {"density: 2}", "density: 2, plasticity: {yield_stress: 1}}"}}), {"'plasticity' is for processes in time"});
  expect_refused(gate("time: {scheme: bdf2, end: 0.2, steps: 2, convection: linearised}\n"), {"spec.yaml:17:42: error: 'convection' is for flow, and the physics is 'fsi'"});
  expect_refused(gate("time: {scheme: bdf2, end: 0.2, steps: 2, inertia: false}\n"), {"'inertia' is for solid"});
  expect_refused(gate("", {{"viscosity: 0.1}", "viscosity: 0.1, sigma: 1}"}}), {"'sigma' is for turbulent flow, and this flow is laminar"});
}

TEST(BadFsi, PartsMeetInCommonNodes) {
  const auto two = [](const std::string& gate_box) {
    return "title: parts\nmesh:\n  bodies:\n    gate: {rectangle: " + gate_box +
           "}\n    water: {rectangle: {from: [1, 0], to: [2, 1], cells: [3, 3]}}\n"
           "physics: {type: fsi}\nmaterials:\n  oil: {model: newtonian, region: water, density: 1, viscosity: 0.1}\n"
           "  gel: {model: neo_hookean, region: gate, young: 200, poisson: 0.4}\nboundary:\n  gate_left: {clamped: true}\n  water_top: {v_x: 1, v_y: 0}\n";
  };
  expect_refused(two("{to: [1, 1], cells: [2, 4]}"), {"spec.yaml:7:1", "touch at (1, 0.125) without common nodes", "mesh them together"});
  expect_refused(two("{to: [0.9, 1], cells: [2, 4]}"), {"have no common node", "regions of cells that meet"});
}

TEST(BadFsi, ABodyThatNothingHoldsIsNamedAtRest) {
  expect_refused(gate("", {{"x > 0.8 && x < 1 && y < 0.5 ? 1 : -1", "x > 0.8 && x < 1 && y > 0.16 && y < 0.5 ? 1 : -1"},
                           {"x > 0.8 && x < 1 && y < 0.5 ? -1 : 1", "x > 0.8 && x < 1 && y > 0.16 && y < 0.5 ? -1 : 1"}, {", clamped: true", ""}}),
                 {"spec.yaml:11:3: error: nothing holds the body 'gel': it can turn and move in every direction without resistance", "clamped: true"});
  // On a plane along which it slides; a bedding holds it.
  const GateEdits sliding{{"bottom: {no_slip: true, clamped: true}", "bottom: {v_y: 0, d_y: 0}"}, {"{to: 1, cells: 2}", "{to: 1, cells: 2, bottom: foot}"}};
  expect_refused(gate("", sliding), {"nothing holds the body 'gel': it can move along (1, 0) without resistance"});
  const Workplace here;
  here.write("spec.yaml", gate("loads: {bed: {type: foundation, region: foot, x: 1e-3}}\n", sliding));
  const Ended end = here.invar({"validate", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

TEST(BadFsi, AWallHoldsABodyByItsOwnWordOnly) {
  expect_refused(gate("", {{"bottom: {no_slip: true, clamped: true}", "bottom: {no_slip: true}"}}),
                 {"spec.yaml:16:3: error: the body 'gel' touches the wall 'bottom'", "add 'clamped: true'"});
}

TEST(BadFsi, AFluidHasNoStressOfABody) {
  expect_refused(gate("output: {quantities: {s: {type: stress_norm, region: water}}}\n"), {"no body has cells there", "region of cells of a body"});
}

TEST(BadFsi, ALoadWhereTheVelocityIsPrescribed) {
  expect_refused(gate("loads: {over: {type: pressure, region: top, p: 3}}\n"), {"spec.yaml:17:40: error: the whole velocity of 'top' is prescribed, and the load 'pressure' has no effect there"});
}

TEST(BadFsi, TheStartInEquilibriumSaysWhatMoves) {
  expect_refused(gate("time: {scheme: bdf2, end: 0.2, steps: 2, begin_with: equilibrium}\ninitial:\n  all: {d_x: 0.1}\n"),
                 {"the initial state is an equilibrium: 'd_x' is part of its solution"});
  expect_refused(gate("time: {scheme: bdf2, end: 0.2, steps: 2}\ninitial:\n  all: {u_x: 0.1}\n"), {"'u_x' is for solid, flow", "allowed: v_x"});
}

}  // namespace
}  // namespace invar::test
