// Rigid parts, joints and tendons, through the program: balances, exact derivatives, mistakes.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/gradient_answer.hpp"
#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

using nlohmann::json;

/// A soft beam, clamped at the left, with a rigid end; `more`: sections that act on it.
std::string capped_beam(const std::string& more, bool in_time = false) {
  const auto density = [&](const char* value) { return in_time ? ", density: " + std::string(value) : std::string(); };
  return R"(title: a beam with a rigid end
mesh: {rectangle: {to: [0.1, 0.02], cells: [10, 2]}, parts: {link: x > 0.08, beam: x < 0.08}}
physics: {type: solid, kind: plane_strain, order: 2}
materials:
  silicone: {region: beam, model: neo_hookean, young: 1e5, poisson: 0.4)" + density("1000") + R"(}
  stiff: {region: link, model: neo_hookean, young: 1e6, poisson: 0.3)" + density("2000") + R"(}
boundary:
  left: {u_x: 0, u_y: 0}
rigid:
  tip: {region: link}
)" + more;
}

/// A rod that leans on a rough ground is held at its upper end by a horizontal cable: statics of a rigid body.
TEST(RigidParts, ForcesOfJointsAndCablesBalance) {
  const Workplace here;
  const json q = results_when_solved(here, R"(title: a rod on a cable
mesh:
  bodies:
    rod: {rectangle: {from: [0, 0], to: [4, 0.5], cells: [8, 1]}}
    wall: {rectangle: {from: [-3, 3], to: [-2, 4], cells: [2, 2]}}
physics: {type: solid, kind: plane_strain}
materials:
  all: {model: neo_hookean, young: 1e6, poisson: 0.3}
boundary:
  wall_left: {u_x: 0, u_y: 0}
  wall: {u_x: 0, u_y: 0}
rigid:
  rod: {region: rod}
joints:
  foot: {type: hinge, between: [rod, ground], at: [0, 0.25], stiffness: 1}
loads:
  weight: {type: body_force, region: rod, y: -3}
tendons:
  cable: {through: [[4, 0.25], [-2, 3.25]], length: 6.708203932499369}
output:
  fields: none
  quantities:
    x: {type: tie, tie: foot.x}
    y: {type: tie, tie: foot.y}
    tension: {type: tie, tie: cable.tension}
    turned: {type: tie, tie: rod.yx}
)")["quantities"];
  // the cable keeps its length, so nothing moves; moments about the foot: 6 N · 2 m = T sin φ · 4 m with sin φ = 1/√5
  const double T = 6 * 2 / (4 / std::sqrt(5.0));
  EXPECT_NEAR(q["turned"], 0, 1e-9);
  EXPECT_NEAR(q["tension"], T, 1e-7);
  EXPECT_NEAR(q["x"], T * 2 / std::sqrt(5.0), 1e-7);
  EXPECT_NEAR(q["y"], 6 - T / std::sqrt(5.0), 1e-7);
}

/// A rod of 4 m and 6 N that a motor turns about its left end: its weight, by the lever of 2 m cos φ, is what the motor bears.
TEST(RigidParts, AMotorHoldsARodAtItsAngle) {
  const auto rod = [](const std::string& more) {
    return R"(title: a rod on a motor
mesh: {rectangle: {to: [4, 0.5], cells: [8, 1]}}
physics: {type: solid, kind: plane_strain}
materials:
  all: {model: neo_hookean, young: 1, poisson: 0.3}
rigid:
  rod: {region: body}
joints:
  foot: {type: hinge, between: [rod, ground], at: [0, 0.25], angle: "0.5*t"}
loads:
  weight: {type: body_force, region: body, y: -3}
time: {steps: 5}
)" + more;
  };
  const Workplace here;
  const json q = results_when_solved(here, rod(R"(output:
  fields: none
  quantities:
    torque: {type: tie, tie: foot.torque}
    lift: {type: tie, tie: foot.y}
    x: {type: point, point: [4, 0], component: u_x}
    y: {type: point, point: [4, 0], component: u_y}
)"))["quantities"];
  const double c = std::cos(0.5), s = std::sin(0.5);
  EXPECT_NEAR(q["torque"], 12 * c, 1e-8);
  EXPECT_NEAR(q["lift"], 6, 1e-9);
  EXPECT_NEAR(q["x"], 4 * c + 0.25 * s - 4, 1e-10);
  EXPECT_NEAR(q["y"], 4 * s - 0.25 * c + 0.25, 1e-10);
  const Workplace there;
  there.write("spec.yaml", rod("design: [{variable: joints.foot.factor}]\nobjective: [{type: tie, tie: foot.torque}]\n"));
  const Answer answer = gradient_in(there, 1);
  ASSERT_EQ(answer.slopes.size(), 1u);
  EXPECT_NEAR(answer.slopes[0], -12 * s * 0.5, 1e-10);
}

TEST(RigidParts, DerivativesByTensionAndTorqueAreExact) {
  const Workplace here;
  here.write("spec.yaml", capped_beam(R"(  bob: {place: [0.12, 0.01], mass: 0.1, inertia: 1e-5, force_y: -0.2}
joints:
  pin: {type: hinge, between: [bob, tip], at: [0.1, 0.01], stiffness: 0.5, torque: 0.03}
tendons:
  cable: {through: [[0.001, 0.019], [0.05, 0.019], [0.09, 0.019]], tension: 8}
time: {steps: 2}
design:
  - {variable: tendons.cable.tension}
  - {variable: joints.pin.torque}
  - {variable: rigid.bob.force_y}
  - {variable: materials.silicone.young, scale: log}
objective:
  - {type: point, point: [0.1, 0.01], component: u_y, target: 0.01}
  - {type: tie, tie: bob.yx, weight: 0.01}
  - {type: tie, tie: pin.x, weight: 0.002}
)"));
  const Ended end = here.invar({"check", "spec.yaml", "--out", "checked"});
  EXPECT_EQ(end.code, 0) << end.said();
}

TEST(RigidParts, DerivativesInTimeAreExact) {
  const Workplace here;
  here.write("spec.yaml", capped_beam(R"(  bob: {place: [0.12, 0.01], mass: 0.1, inertia: 1e-5, force_y: -0.2, spin_z: 3, velocity_y: 0.06}
joints:
  pin: {type: hinge, between: [bob, tip], at: [0.1, 0.01], damping: 1e-4}
time: {scheme: generalised_alpha, rho_infinity: 0.8, end: 0.1, steps: 10}
design:
  - {variable: rigid.bob.mass}
  - {variable: rigid.bob.spin_z}
  - {variable: joints.pin.damping}
  - {variable: materials.stiff.density}
objective:
  - {type: point, point: [0.1, 0.01], component: u_y}
  - {type: tie, tie: bob.yx, statistic: mean, weight: 0.1}
  - {type: tie, tie: pin.x, weight: 0.01}
)", true));
  const Ended end = here.invar({"check", "spec.yaml", "--out", "checked"});
  EXPECT_EQ(end.code, 0) << end.said();
}

/// A bar with a rigid end that is pulled, from y = `low` to 1.
std::string pulled_bar(double low, const std::string& boundary) {
  return "title: a bar with a rigid end\nmesh: {rectangle: {from: [0, " + std::to_string(low) + "], to: [2, 1], cells: [8, " + std::to_string(static_cast<int>(4 * (1 - low))) +
         "]}, parts: {link: x > 1.5, bar: x < 1.5}}\n" + R"(physics: {type: solid, kind: plane_strain}
materials:
  soft: {region: bar, model: neo_hookean, young: 1e5, poisson: 0.4}
  stiff: {region: link, model: neo_hookean, young: 1e5, poisson: 0.4}
boundary:
  left: {u_x: 0, u_y: 0}
)" + boundary + R"(rigid:
  link: {region: link}
loads:
  pull: {type: traction, region: right, x: 2e4}
output:
  fields: none
  quantities:
    x: {type: tie, tie: link.x}
    y: {type: point, point: [1, 1], component: u_y}
    force: {type: reaction, region: left, direction: [1, 0]}
)";
}

TEST(RigidParts, HalfAPartOnAPlaneOfSymmetryMovesLikeAllOfIt) {
  const auto moved = [](const std::string& spec) {
    const Workplace here;
    return results_when_solved(here, spec)["quantities"];
  };
  const json all = moved(pulled_bar(-1, "")), half = moved(pulled_bar(0, "  bottom: {u_y: 0}\n"));
  EXPECT_GT(all["x"], 0.2);
  EXPECT_NEAR(half["x"], all["x"], 1e-9);
  EXPECT_NEAR(half["y"], all["y"], 1e-9);
  EXPECT_NEAR(half["force"], 0.5 * all["force"].get<double>(), 1e-5);
}

TEST(RigidParts, DerivativesByTheMotionOfItsBoundaryAreExact) {
  const Workplace here;
  here.write("spec.yaml", pulled_bar(0, "  bottom: {u_y: 0}\n  right: {u_x: 0.1}\n") + R"(design:
  - {variable: boundary.right.u_x}
  - {variable: materials.soft.young, scale: log}
objective:
  - {type: point, point: [1, 1], component: u_y}
  - {type: reaction, region: right, direction: [1, 0], weight: 1e-5}
)");
  const Ended end = here.invar({"check", "spec.yaml", "--out", "checked"});
  EXPECT_EQ(end.code, 0) << end.said();
}

// ---- mistakes ------------------------------------------------------------------------------------------------

/// What `validate` says of a beam with a rigid end and these parts at rest; empty: nothing.
std::string said_of(const std::string& spec) {
  const Workplace here;
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"validate", "spec.yaml"});
  EXPECT_TRUE(end.code == 0 || end.code == 3) << end.said();
  return end.code == 0 ? "" : end.said();
}
std::string pinned(const std::string& bob, const std::string& pin) { return capped_beam("  bob: {place: [0.12, 0.01]" + bob + "}\njoints:\n  pin: {between: [bob, tip], " + pin + "}\n"); }

TEST(RigidParts, ValuesThatStrainAPartAreNamed) {
  expect_refused(pulled_bar(0, "  right: {u_x: 0.1, u_y: \"0.1*y\"}\n"), {"the values that 'boundary' prescribes at nodes of the rigid part 'link' strain it"});
  expect_refused(pulled_bar(0, "  right: {u_x: \"0.1*y^2\"}\n"), {"'rigid.link' contradicts values that 'boundary' or earlier entries prescribe at its nodes"});
}

TEST(RigidParts, NumbersWithoutEffectAndMassesOfNoBodyAreNamed) {
  expect_refused(pinned(", mass: -1", "type: weld, at: [0.1, 0.01]"), {"value -1 is out of range, expected a number >= 0 [kg]"});
  expect_refused(pinned(", stiffness: 1", "type: hinge, at: [0.1, 0.01], rest: 0.2"), {"'rest' has no effect without 'stiffness'"});
  expect_refused(capped_beam("tendons:\n  cable: {through: [[0.01, 0.01], [0.09, 0.01]], tension: 8, damping: 1}\n"), {"'damping' has no effect without 'stiffness'"});
  expect_refused(capped_beam("tendons:\n  cable: {through: [[0.01, 0.01], [0.09, 0.01], [0.09, 0.01]], tension: 8}\n"), {"this point of the tendon 'cable' is the one before it"});
  expect_refused("title: a block\nmesh: {box: {to: [1, 1, 1], cells: [1, 1, 1]}}\nphysics: {type: solid}\nmaterials:\n  all: {model: neo_hookean, young: 1e6, poisson: 0.3, density: 1}\n"
                 "boundary:\n  left: {u_x: 0, u_y: 0, u_z: 0}\nrigid:\n  rod: {place: [2, 0, 0], mass: 1, inertia: 3, inertia_y: 1, inertia_z: 1}\ntime: {scheme: bdf2, end: 1, steps: 2}\n",
                 {"no body has these moments of inertia: the largest exceeds the sum of the other two"});
}

TEST(RigidParts, PartsThatNothingSlowsDownAreNamed) {
  const auto bob = [](const std::string& numbers, const std::string& pin, const std::string& time) {
    return capped_beam("  bob: {place: [0.12, 0.01], force_y: 1" + numbers + "}\njoints:\n  pin: {between: [bob, tip], type: hinge, at: [0.1, 0.01]" + pin + "}\ntime: {end: 0.1, steps: 2, " + time + "}\n", true);
  };
  expect_refused(bob("", "", "scheme: bdf2"), {"spec.yaml:11:3: error: the mechanism has too few joints: 'bob' can turn about (0.1, 0.01) without resistance or inertia", "give it 'mass'"});
  expect_refused(bob(", mass: 1, inertia: 1", "", "scheme: bdf2, inertia: false"), {"'bob' can turn about (0.1, 0.01) without resistance, and 'inertia: false' omits masses"});
  for (const char* const held : {"damping: 1", "stiffness: 1"}) EXPECT_EQ(said_of(bob("", ", " + std::string(held), "scheme: bdf2")), "");
  const Workplace here;
  here.write("spec.yaml", bob("", ", stiffness: 1", "scheme: newmark"));
  EXPECT_NE(here.invar({"validate", "spec.yaml"}).err.find("'bob' can turn about (0.1, 0.01) without inertia: where forces act at the start, the initial acceleration cannot be found"), std::string::npos);
}

TEST(RigidParts, TooManyJointsAreNamed) {
  expect_refused(capped_beam(R"(  bob: {place: [0.12, 0.01], mass: 1}
joints:
  pin: {type: hinge, between: [bob, tip], at: [0.1, 0.01]}
  weld: {type: weld, between: [bob, tip], at: [0.1, 0.01]}
)"), {"the mechanism has too many joints: 'weld.x' is redundant: other joints", "remove one of them"});
}

TEST(RigidParts, InitialVelocitiesThatViolateAJointAreReported) {  // the centre is 0.02 m from the joint
  const auto warned = [](const std::string& start) {
    const Workplace here;
    here.write("spec.yaml", capped_beam("  bob: {place: [0.12, 0.01], mass: 1, inertia: 1e-4, " + start +
                                            "}\njoints:\n  pin: {type: hinge, between: [bob, tip], at: [0.1, 0.01]}\ntime: {scheme: generalised_alpha, end: 0.1, steps: 10}\n", true));
    const Ended end = here.invar({"validate", "spec.yaml"});
    EXPECT_EQ(end.code, 0) << end.said();
    return end.err.find("warning: spec.yaml:13:3: the initial velocities of rigid parts violate the joint 'pin'") != std::string::npos;
  };
  EXPECT_TRUE(warned("spin_z: 3"));
  EXPECT_TRUE(warned("spin_z: 3, velocity_y: -0.06"));
  EXPECT_FALSE(warned("spin_z: 3, velocity_y: 0.06"));
}

TEST(RigidParts, TooFewJointsAreNamed) {
  expect_refused(pinned(", mass: 1, force_y: 1", "type: hinge, at: [0.11, 0.015]"),
                 {"spec.yaml:11:3", "the mechanism has too few joints: in statics, 'bob' can turn about (0.11, 0.015) without resistance", "solve in time"});
  expect_refused(capped_beam("  bob: {place: [0.12, 0.01]}\n"), {"'bob' can turn and move in every direction"});
  expect_refused(pinned("", "type: slider, at: [0.1, 0.01], axis: [3, 4]"), {"'bob' can move along (0.6, 0.8)"});
  expect_refused(pinned(", force_x: 1}\n  other: {place: [0.2, 0]", "type: hinge, at: [0.1, 0.01]}\n  next: {between: [other, bob], type: hinge, at: [0.15, 0]"),
                 {"'bob' can turn about (0.1, 0.01) without resistance; 'other' can move, too"});
}

TEST(RigidParts, WhatHoldsAPartIsSeen) {
  EXPECT_EQ(said_of(pinned("", "type: hinge, at: [0.1, 0.01], stiffness: 1e-3")), "");
  EXPECT_EQ(said_of(pinned("", "type: hinge, at: [0.1, 0.01], angle: 0.1")), "");
  EXPECT_EQ(said_of(pinned("", "type: weld, at: [0.1, 0.01]")), "");
  EXPECT_EQ(said_of(pinned("", "type: hinge, at: [0.1, 0.01]}\n  rail: {between: [bob, ground], type: slider, at: [0.15, 0.01], axis: [1, 0]")).find("too few"), std::string::npos);
  EXPECT_NE(said_of(pinned(", stiffness: 2", "type: hinge, at: [0.12, 0.01]")).find("'bob' can turn about (0.12, 0.01)"), std::string::npos);
  EXPECT_EQ(said_of(pinned(", stiffness: 2", "type: hinge, at: [0.1, 0.01]")), "");  // a spring beside the hinge
  // In time a part may be free.
  EXPECT_EQ(said_of(capped_beam("  bob: {place: [0.12, 0.01], mass: 1, inertia: 1}\ntime: {scheme: newmark, end: 1, steps: 2}\n", true)), "");
}

// The axis of a screw, and what cells alone do not hold: all of the body is rigid.
TEST(RigidParts, FreeMotionsInSpaceAreNamed) {
  const auto blocks = [](const std::string& joints) {
    return "title: a block\nmesh: {bodies: {a: {box: {to: [1, 1, 1], cells: [1, 1, 1]}}, b: {box: {from: [2, 0, 0], to: [3, 1, 1], cells: [1, 1, 1]}}}}\n"
           "physics: {type: solid, kind: spatial}\nmaterials:\n  all: {model: neo_hookean, young: 1e6, poisson: 0.3}\n"
           "boundary:\n  a_left: {u_x: 0, u_y: 0, u_z: 0}\nrigid:\n  b: {region: b}\n" + joints;
  };
  EXPECT_NE(said_of(blocks("")).find("'b' can turn about every axis and move in every direction"), std::string::npos);
  EXPECT_NE(said_of(blocks("joints:\n  pin: {type: hinge, between: [b, ground], at: [2, 0.5, 0], axis: [0, 0, 1]}\n"))
                .find("'b' can turn about the axis through (2, 0.5, 0.5) along (0, 0, 1)"), std::string::npos);
  EXPECT_NE(said_of(blocks("joints:\n  pin: {type: ball, between: [b, ground], at: [2, 0.5, 0]}\n")).find("'b' can turn about every axis"), std::string::npos);
  EXPECT_NE(said_of(blocks("joints:\n  rail: {type: slider, between: [b, ground], at: [2, 0.5, 0], axis: [0, 1, 0]}\n")).find("'b' can move along (0, 1, 0)"), std::string::npos);
}

TEST(RigidParts, TendonsThroughNoCellAreNamed) {
  expect_refused(capped_beam("tendons:\n  cable: {through: [[0.001, 0.019], [0.05, 0.03]], tension: 8}\n"),
                 {"the tendon 'cable' is not attached: the point (0.05, 0.03) lies in no cell: it is 0.01 m away"});
}

TEST(RigidParts, LawsOfSmallStrainAndUnknownPartsAreNamed) {
  std::string spec = capped_beam("");
  spec.replace(spec.find("model: neo_hookean, young: 1e6"), 30, "model: linear_elastic, young: 1e6");
  expect_refused(spec, {"cells of 'link' have the law 'linear_elastic', for which a rotation causes strain"});
  expect_refused(capped_beam("joints:\n  pin: {type: hinge, between: [tipp, ground], at: [0.1, 0.01]}\n"), {"there is no rigid part 'tipp'; did you mean 'tip'?"});
  expect_refused(capped_beam("joints:\n  pin: {type: slider, between: [tip, ground], at: [0.1, 0.01]}\n"), {"'axis' is missing"});
}

}  // namespace
}  // namespace invar::test
