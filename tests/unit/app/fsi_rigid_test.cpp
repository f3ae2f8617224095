// Rigid parts of bodies in a flow, with joints and tendons: the limit of stiff parts, derivatives, the same on several ranks, mistakes.
#include <gtest/gtest.h>

#include "tests/unit/app/gradient_answer.hpp"
#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/soft_gate.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

/// The gate with its upper third as a region of its own. head: its material; empty: that of the gate.
std::string gate_with_head(const std::string& more, const std::string& head = "", const std::string& young = "200") {
  const std::string region = "x > 0.8 && x < 1 && y < 0.5";
  std::string gel = "gel: {model: neo_hookean, region: gate, young: " + young + ", poisson: 0.4, density: 2}\n";
  if (!head.empty()) gel += "  head: " + head + "\n";
  return gate(more, {{"parts: {gate: \"" + region + " ? 1 : -1\"", "parts: {head: \"" + region + " && y > 0.33 ? 1 : -1\", gate: \"" + region +
                                                                      (head.empty() ? " ? 1 : -1\"" : " && y < 0.33 ? 1 : -1\"")},
                     {"gel: {model: neo_hookean, region: gate, young: 200, poisson: 0.4, density: 2}\n", gel}});
}

// A head of a stiff material moves like the rigid one, but for strains of the order of the stiffness's inverse.
TEST(FsiRigid, AStiffHeadBecomesARigidOne) {
  const std::string more = "time: {scheme: bdf2, end: 0.3, steps: 6}\noutput:\n  fields: none\n  quantities:\n"
                           "    x: {type: point, point: [0.9, 0.5], component: d_x}\n    y: {type: point, point: [0.8, 0.5], component: d_y}\n";
  const auto moved = [](const std::string& spec) {
    const Workplace here;
    return results_when_solved(here, spec)["quantities"];
  };
  const nlohmann::json rigid = moved(gate_with_head("rigid: {head: {region: head}}\n" + more, "", "20"));
  EXPECT_GT(rigid["x"], 0.25);  // of a height of 0.5: it turns by half a radian
  double error = 0;
  for (const double stiffness : {2e3, 2e4}) {
    const nlohmann::json stiff =
        moved(gate_with_head(more, "{model: neo_hookean, region: head, young: " + std::to_string(stiffness) + ", poisson: 0.4, density: 2}", "20"));
    const double before = std::exchange(error, std::hypot(stiff["x"].get<double>() - rigid["x"].get<double>(), stiff["y"].get<double>() - rigid["y"].get<double>()));
    if (before > 0) { EXPECT_NEAR(before / error, 10, 0.5); }
  }
  EXPECT_LT(error, 2e-5);
}

const char* const held_head =
    "rigid: {head: {region: head, spin_z: 0.2}}\n"
    "joints: {post: {type: hinge, between: [head, ground], at: [0.9, 0.4], stiffness: 5, damping: 1, rest: 0.1}}\n"
    "tendons:\n"
    "  pull: {through: [[0.85, 0.05], [0.9, 0.2], [0.95, 0.45]], tension: 3}\n"
    "  coil: {through: [[0.85, 0.1], [0.95, 0.3]], stiffness: 50, rest: 0.2, damping: 2}\n"
    "time: {scheme: bdf2, end: 0.3, steps: 3}\n"
    "design:\n"
    "  - {variable: materials.gel.young, scale: log}\n"
    "  - {variable: materials.oil.viscosity, scale: log}\n"
    "  - {variable: joints.post.stiffness}\n"
    "  - {variable: joints.post.damping}\n"
    "  - {variable: tendons.pull.tension}\n"
    "  - {variable: tendons.coil.rest}\n"
    "  - {variable: rigid.head.spin_z}\n"
    "objective: [{type: point, point: [0.9, 0.5], component: d_y, target: 0.1}, {type: tie, tie: post.x, target: 1}, {type: stress_norm, region: bottom, exponent: 4, weight: 1e-3}]\n";

TEST(FsiRigid, DerivativesOfAHingedHeadWithTendonsAreExact) {
  const Workplace here;
  here.write("spec.yaml", gate_with_head(held_head));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

// At rest with second derivatives.
TEST(FsiRigid, DerivativesOfAFreeHeadAtRestAreExact) {
  const Workplace here;
  here.write("spec.yaml", gate_with_head("rigid: {head: {region: head}}\ntendons: {pull: {through: [[0.85, 0.05], [0.95, 0.45]], tension: 3}}\n"
                                         "design:\n  - {variable: materials.gel.young, scale: log}\n  - {variable: tendons.pull.tension}\n"
                                         "objective: [{type: point, point: [0.9, 0.5], component: d_x, target: 0.1}]\n"));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

TEST(FsiRigid, RanksAgree) {
  if (!has_mpirun()) GTEST_SKIP() << "no mpirun";
  const Workplace here;
  here.write("spec.yaml", gate_with_head(held_head));
  expect_same_gradient(here, gradient_in(here, 1), 2);
}

// A body in a box gives way to the pressure in time, unless all of it is rigid.
TEST(FsiRigid, ABodyAllOfWhichIsRigidLeavesThePressureOpen) {
  const GateEdits closed{{"left: {v_x: \"4*y*(1 - y)\", v_y: 0}", "left: {no_slip: true}"}, {"right: {v_y: 0}", "right: {no_slip: true}"},
                         {"bottom: {no_slip: true, clamped: true}", "bottom: {no_slip: true}"},
                         {"x > 0.8 && x < 1 && y < 0.5 ? 1 : -1", "x > 0.8 && x < 1 && y > 0.16 && y < 0.5 ? 1 : -1"},
                         {"x > 0.8 && x < 1 && y < 0.5 ? -1 : 1", "x > 0.8 && x < 1 && y > 0.16 && y < 0.5 ? -1 : 1"}};
  const std::string in_time = "rigid: {gate: {region: gate}}\ntime: {scheme: bdf2, end: 0.2, steps: 2}\n";
  expect_refused(gate(in_time, closed), {"the fluid of case 'case' is enclosed", "add 'boundary: {POINT: {p: 0}}'"});
  // A point holds it. The gate falls, more slowly than without fluid.
  GateEdits held = closed;
  held.push_back({"bottom: {no_slip: true}\n", "bottom: {no_slip: true}\n  left_top: {p: 7}\n"});
  const Workplace here;
  const nlohmann::json q = results_when_solved(here, gate(in_time + "loads: {weight: {type: body_force, region: gate, y: -6}}\noutput:\n  fields: none\n  quantities:\n"
                                                          "    p: {type: point, point: [0, 1], component: p}\n    v: {type: tie, tie: gate.v_y}\n", held))["quantities"];
  EXPECT_NEAR(q["p"], 7, 1e-9);
  EXPECT_LT(q["v"], -0.01);
  EXPECT_GT(q["v"], -6.0 / 2 * 0.2);
  expect_named({"left: {v_x", "left_top: {p: 7}\n  left: {v_x", "an open part of the fluid's boundary, or the motion of a body, determines the pressure level"},
               gate("time: {scheme: bdf2, end: 0.2, steps: 2}\n"));
}

// Schemes that are advised are those of the physics.
TEST(FsiRigid, SchemesOfSeveralStagesAreRefused) {
  expect_refused(gate_with_head("rigid: {head: {region: head}}\ntime: {scheme: sdirk2, end: 0.2, steps: 2}\n"),
                 {"'sdirk2' is only first-order accurate with constrained rigid parts", "use generalised_alpha or bdf2"});
}

TEST(FsiRigid, WhatIsNoPartOfABodyIsNamed) {
  const auto pulled = [](const std::string& through) { return gate("tendons:\n  pull: {through: [[0.85, 0.05], " + through + "], tension: 3}\n"); };
  expect_refused(pulled("[0.4, 0.5]"), {"spec.yaml:18:19: error: the tendon 'pull' is not attached: the point (0.4, 0.5) lies in no cell of a body"});
  const Workplace here;
  here.write("spec.yaml", pulled("[0.8, 0.3], [0.93, 0.5]"));  // on its surface
  EXPECT_EQ(here.invar({"validate", "spec.yaml"}).code, 0);
  expect_refused(gate_with_head("rigid: {head: {region: water}}\n"), {"the rigid part 'water' reaches into the fluid"});
  expect_refused(gate_with_head("rigid: {head: {region: head, inertia: 1}}\n"), {"'inertia' has no effect without 'mass'"});
}

}  // namespace
}  // namespace invar::test
