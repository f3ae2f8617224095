// Designed places of rigid parts, joints and tendons, and designed shapes with rigid parts in them, through the program.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/gradient_answer.hpp"
#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/soft_gate.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

using nlohmann::json;

/// A soft beam, clamped at the left, with a rigid end that carries a bob on a hinge; a cable pulls the end back.
std::string beam_with_bob(const std::string& more, bool in_time = false) {
  const auto density = [&](const char* value) { return in_time ? ", density: " + std::string(value) : std::string(); };
  return R"(title: a beam with a bob
mesh: {rectangle: {to: [0.1, 0.02], cells: [10, 2]}, parts: {link: x > 0.08, beam: x < 0.08}}
physics: {type: solid, kind: plane_strain, order: 2}
materials:
  silicone: {region: beam, model: neo_hookean, young: 1e5, poisson: 0.4)" + density("1000") + R"(}
  stiff: {region: link, model: neo_hookean, young: 1e6, poisson: 0.3)" + density("2000") + R"(}
boundary:
  left: {u_x: 0, u_y: 0}
rigid:
  tip: {region: link, force_x: 0.1}
  bob: {place: [0.12, 0.013], mass: 0.1, inertia: 1e-5, force_y: -0.2}
joints:
  pin: {type: hinge, between: [bob, tip], at: [0.1, 0.01], stiffness: 0.05)" + (in_time ? ", damping: 1e-4" : "") + R"(}
tendons:
  cable: {through: [[0.004, 0.018], [0.055, 0.0183], [0.09, 0.019]], tension: 5}
)" + more;
}

const char* const observed = R"(objective:
  - {type: point, point: [0.1, 0.01], component: u_y, target: 0.01}
  - {type: tie, tie: bob.yx, weight: 0.01}
  - {type: tie, tie: pin.x, weight: 0.002}
  - {type: tie, tie: tip.y, weight: 0.3}
)";

// Of the cable's points one is in a soft cell, one in the rigid part, which it may leave.
const char* const places = R"(design:
  - {variable: joints.pin.at.0, lower: 0.08, upper: 0.11}
  - {variable: joints.pin.at.1}
  - {variable: rigid.bob.place.0, lower: 0.115, upper: 0.125}
  - {variable: rigid.bob.place.1}
  - {variable: tendons.cable.through.1.0, lower: 0.051, upper: 0.059}
  - {variable: tendons.cable.through.1.1, lower: 0.015, upper: 0.0199}
  - {variable: tendons.cable.through.2.0}
  - {variable: tendons.cable.through.2.1}
)";

TEST(DesignedPlacesRun, DerivativesAreExact) { expect_certified(beam_with_bob("time: {steps: 2}\n" + std::string(places) + observed)); }

TEST(DesignedPlacesRun, DerivativesInTimeAreExact) {
  expect_certified(beam_with_bob("time: {scheme: generalised_alpha, rho_infinity: 0.8, end: 0.1, steps: 5}\n" + std::string(places) + observed, true));
}

// The upper side of the beam and of the rigid part, the nodes within, the cable and the centre of the part follow.
const char* const shape = "  - {kind: ffd, region: top, from: [-0.01, 0.015], to: [0.11, 0.025], points: [4, 2], degree: 2, moves: [y], scale: 0.001, largest: 0.004}\n";

TEST(DesignedPlacesRun, DerivativesByTheShapeOfRigidPartsAreExact) {
  expect_certified(beam_with_bob("design:\n  - {variable: joints.pin.at.0}\n  - {variable: tendons.cable.through.2.1}\n" + std::string(shape) + observed));
}

TEST(DesignedPlacesRun, RanksAgree) {
  if (!has_mpirun()) GTEST_SKIP() << "no mpirun";
  const Workplace here;
  here.write("spec.yaml", beam_with_bob("design:\n  - {variable: joints.pin.at.0}\n  - {variable: rigid.bob.place.1}\n" + std::string(shape) + observed));
  const Answer alone = gradient_in(here, 1);
  expect_same_gradient(here, alone, 2);
  expect_same_gradient(here, alone, 3);
}

// A designed place is that of a spec with these numbers, for which everything is built anew.
TEST(DesignedPlacesRun, AMovedPlaceIsThatOfASpecWithIt) {
  const std::vector<std::pair<const char*, const char*>> moved{{"joints.pin.at.0", "0.095"}, {"rigid.bob.place.1", "0.017"}, {"tendons.cable.through.1.0", "0.052"},
                                                               {"tendons.cable.through.1.1", "0.0195"}, {"tendons.cable.through.2.0", "0.095"}, {"tendons.cable.through.2.1", "0.012"}};
  const auto answer = [](const std::string& spec) {
    const Workplace here;
    here.write("spec.yaml", spec);
    return gradient_in(here, 1);
  };
  std::string designed = beam_with_bob("design:\n"), built = designed;
  for (const auto& [name, value] : moved) designed += "  - {variable: \"" + std::string(name) + "\", start: " + value + "}\n";
  for (const auto& [name, value] : moved) built += "  - {variable: \"" + std::string(name) + "\"}\n";
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"at: [0.1,", "at: [0.095,"}, {"place: [0.12, 0.013]", "place: [0.12, 0.017]"}, {"[0.055, 0.0183]", "[0.052, 0.0195]"}, {"[0.09, 0.019]", "[0.095, 0.012]"}})
    built.replace(built.find(from), from.size(), to);
  const Answer a = answer(designed + observed), b = answer(built + observed), c = answer(beam_with_bob("design: [{variable: tendons.cable.tension}]\n" + std::string(observed)));
  EXPECT_NEAR(a.objective, b.objective, 1e-9 * std::abs(b.objective));
  EXPECT_GT(std::abs(c.objective - b.objective), 1e-2 * std::abs(b.objective));
  ASSERT_EQ(a.slopes.size(), moved.size());
  for (std::size_t k = 0; k < a.slopes.size(); ++k) EXPECT_NEAR(a.slopes[k], b.slopes[k], 1e-7 * std::abs(b.slopes[k])) << moved[k].first;
}

TEST(DesignedPlacesRun, APointThatLeavesItsCellIsNamed) {
  const Workplace here;
  here.write("spec.yaml", beam_with_bob("design: [{variable: tendons.cable.through.1.0, start: 0.065}]\n" + std::string(observed)));
  const Ended end = here.invar({"gradient", "spec.yaml"});
  EXPECT_NE(end.code, 0);
  EXPECT_NE(end.said().find("the point 2 of 'cable', which is at (0.065, 0.0183), has left the cell in which it began"), std::string::npos) << end.said();
}

TEST(DesignedPlacesRun, SidesThatMoveAsOneMayBeDesigned) {
  const std::string block = "title: a block\nmesh: {rectangle: {to: [2, 1], cells: [4, 2]}, parts: {soft: x < 1, stiff: x > 1}}\nphysics: {type: solid, kind: plane_strain}\n"
                            "materials: {gel: {model: neo_hookean, young: 100, poisson: 0.3}}\n";
  const std::string design = "design: [{kind: free_boundary, region: top, smoothing: 0.5, largest: 0.1, ends_move: true}]\nmesh_motion: {sliding: [{region: left, keeps: x}, {region: right, keeps: x}]}\n"
                             "objective: [{type: point, point: [2, 0.5], component: u_y}]\n";
  for (const char* tie : {"translation", "plane"})
    expect_certified(block + "boundary: {bottom: {u_x: 0, u_y: 0}}\nloads: {pull: {type: traction, region: right, x: 1, y: -3}}\nties: {lid: {type: " + tie + ", region: top, u_y: free}}\n" + design);
}

/// The gate with a rigid upper third that a hinge holds.
std::string gate_on_a_post(const std::string& more, bool in_time) {
  const std::string region = "x > 0.8 && x < 1 && y < 0.5";
  return gate("rigid: {head: {region: head}}\njoints: {post: {type: hinge, between: [head, ground], at: [0.9, 0.4], stiffness: 5}}\n"
              "tendons: {pull: {through: [[0.85, 0.05], [0.9, 0.2], [0.95, 0.45]], tension: 3}}\n" + std::string(in_time ? "time: {scheme: bdf2, end: 0.3, steps: 3}\n" : "") + more,
              {{"parts: {gate: \"" + region + " ? 1 : -1\"", "parts: {head: \"" + region + " && y > 0.33 ? 1 : -1\", gate: \"" + region + " ? 1 : -1\""}}) +
         "objective: [{type: point, point: [0.9, 0.5], component: d_y, target: 0.1}, {type: tie, tie: post.x, target: 1, weight: 0.1}]\n";
}

const char* const of_post = "design:\n  - {variable: joints.post.at.0}\n  - {variable: joints.post.at.1}\n  - {variable: tendons.pull.through.2.0}\n";

TEST(DesignedPlacesRun, DerivativesInAFlowAreExact) { expect_certified(gate_on_a_post(of_post, false)); }

TEST(DesignedPlacesRun, DerivativesInAFlowInTimeWithAShapeAreExact) {
  expect_certified(gate_on_a_post(of_post + std::string("  - {kind: ffd, region: top, from: [-0.1, 0.6], to: [2.5, 1.1], points: [3, 2], moves: [y], largest: 0.1}\n"), true));
}

}  // namespace
}  // namespace invar::test
