// A process that begins where another run ended, with rigid parts, ties and history variables.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/unit/app/csv_columns.hpp"
#include "tests/unit/app/program.hpp"
#include "tests/unit/app/soft_gate.hpp"

namespace invar::test {
namespace {

/// `time` of the given steps of a length. more: further keys, in front.
std::string marched(const std::string& scheme, double start, int steps, double length) {
  return "time: {" + scheme + ", start: " + std::to_string(start) + ", end: " + std::to_string(start + steps * length) + ", steps: " + std::to_string(steps) + "}\n";
}

nlohmann::json ended_with(const Workplace& here, const std::string& spec, const std::string& out, int ranks = 1) {
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"run", "spec.yaml", "-q", "--out", out}, ranks);
  EXPECT_EQ(end.code, 0) << end.said();
  return end.code == 0 ? json_of(here.folder() / out / "results.json")["quantities"] : nlohmann::json();
}

double first_value(const Workplace& here, const std::string& run, const char* of, std::size_t step = 0) {
  return columns_of(content(here.folder() / run / "curves" / (std::string(of) + ".csv")))["value"].at(step);
}

/// A soft beam, clamped at the left, whose end is rigid and carries a bob on a hinge. density: of the beam.
std::string swinging_beam(const std::string& bob = "", const std::string& cells = "[10, 2]", const std::string& more = "") {
  return R"(title: a beam with a rigid end
mesh: {rectangle: {to: [0.1, 0.02], cells: )" + cells + R"(}, parts: {link: x > 0.08, beam: x < 0.08}}
physics: {type: solid, kind: plane_strain}
materials:
  silicone: {region: beam, model: neo_hookean, young: 1e5, poisson: 0.4, density: 1000}
  stiff: {region: link, model: neo_hookean, young: 1e6, poisson: 0.3, density: 2000}
boundary:
  left: {u_x: 0, u_y: 0}
rigid:
  tip: {region: link}
  bob: {place: [0.12, 0.01], mass: 0.1, inertia: 1e-5, force_y: -0.2)" + bob + R"(}
joints:
  pin: {type: hinge, between: [bob, tip], at: [0.1, 0.01], damping: 1e-4}
)" + more;
}

/// A bar in plane strain that is drawn beyond its yield stress, or relaxes. Forces on 'left' and 'bottom' are divided at their corner.
std::string drawn_bar(const std::string& material, const std::string& more) {
  return "title: a bar that remembers\nmesh: {rectangle: {to: [2, 1], cells: [4, 2]}}\nphysics: {type: solid, kind: plane_strain}\n"
         "materials:\n  metal: {density: 1, " + material + "}\n"
         "boundary:\n  left: {u_x: 0, u_y: 0}\n  bottom: {u_x: 0, u_y: 0}\nloads:\n  pull: {type: traction, region: top, x: \"1.2*sin(9*t)\", y: \"3*t\"}\n" + more;
}
const char *const yields = "model: linear_elastic, young: 100, poisson: 0.3, plasticity: {yield_stress: 0.4, hardening: 5, kinematic_hardening: 3}",
           *const draws = "model: hencky, young: 100, poisson: 0.3, plasticity: {yield_stress: 0.4, hardening: 5}",
           *const relaxes = "model: neo_hookean, young: 60, poisson: 0.4, relaxation: {fast: {shear: 20, time: 0.03}, slow: {shear: 10, time: 0.4}}";
const char* const watched = "output:\n  fields: none\n  quantities:\n    x: {type: point, point: [2, 1], component: u_x}\n    y: {type: point, point: [1, 1], component: u_y}\n"
                            "    left: {type: reaction, region: left, direction: [1, 0]}\n    bottom: {type: reaction, region: bottom, direction: [1, 0]}\n";

struct Restart {
  const char* name;
  std::string spec, scheme;
  double length;
  bool on_ranks = false;  // begins with a state of two ranks, on one and on two
};

std::vector<Restart> restarts() {
  const std::string hinge = "output:\n  fields: none\n  quantities:\n    y: {type: point, point: [0.1, 0.01], component: u_y}\n    turned: {type: tie, tie: bob.yx}\n"
                            "    speed: {type: tie, tie: bob.y, of: rate}\n    pin: {type: tie, tie: pin.x}\n";
  const std::string tendon = "tendons:\n  cable: {through: [[0.001, 0.019], [0.05, 0.019], [0.09, 0.019]], length: \"0.089 - 0.02*t\"}\n";
  const std::string cell = "title: a cell\nmesh: {rectangle: {to: [2, 1], cells: [3, 4]}, parts: {soft: y < 0.5, stiff: y > 0.5}}\nphysics: {type: solid, kind: plane_strain}\n"
                           "materials:\n  soft: {region: soft, model: linear_elastic, young: 100, poisson: 0.3, density: 1}\n"
                           "  stiff: {region: stiff, model: linear_elastic, young: 300, poisson: 0.1, density: 3, shear_viscosity: 2}\n"
                           "boundary:\n  left_bottom: {u_x: 0, u_y: 0}\n"
                           "ties:\n  cell: {type: periodic, sides: [[left, right], [bottom, top]], xx: 0.05, yy: free, xy: 0.1, yx: free}\n"
                           "output:\n  fields: none\n  quantities:\n    yy: {type: tie, tie: cell.yy}\n    yx: {type: tie, tie: cell.yx}\n    stress: {type: tie, tie: cell.xx, of: force}\n"
                           "    x: {type: point, point: [1, 0.4], component: u_x}\n";
  const std::string head = "rigid: {head: {region: head}}\n"
                           "joints: {post: {type: hinge, between: [head, ground], at: [0.9, 0.4], stiffness: 5, damping: 1, rest: 0.1}}\n"
                           "tendons: {pull: {through: [[0.85, 0.05], [0.9, 0.2], [0.95, 0.45]], tension: 3}}\n"
                           "output:\n  fields: none\n  quantities:\n    x: {type: point, point: [0.9, 0.5], component: d_x}\n    v: {type: point, point: [1.6, 0.5], component: v_x}\n"
                           "    turned: {type: tie, tie: head.yx}\n    post: {type: tie, tie: post.x}\n";
  const std::string place = "x > 0.8 && x < 1 && y < 0.5";
  const GateEdits remembering{{"density: 2}", "density: 2, relaxation: {a: {shear: 30, time: 0.1}}}"}};
  GateEdits with_head = remembering;
  with_head.push_back({"parts: {gate: \"" + place + " ? 1 : -1\"", "parts: {head: \"" + place + " && y > 0.33 ? 1 : -1\", gate: \"" + place + " ? 1 : -1\""});
  return {{"a hinge", swinging_beam() + hinge, "scheme: backward_euler", 0.01, true},
          {"a hinge and a tendon of given length", swinging_beam() + tendon + hinge, "scheme: backward_euler", 0.01},
          {"periodic sides", cell, "scheme: backward_euler", 0.02},
          {"plastic flow", drawn_bar(yields, watched), "scheme: newmark", 0.05, true},
          {"plastic flow far beyond", drawn_bar(draws, watched), "scheme: backward_euler", 0.05},
          {"relaxation", drawn_bar(relaxes, watched), "scheme: newmark", 0.05},
          {"a rigid head in a flow", gate(head, with_head), "scheme: backward_euler", 0.05}};
}

// Backward Euler and, without joints, newmark need no more than a saved state: two halves of a march give what the whole gives. What is
// prescribed is constant, since its rate at a start is that of the formula, in a march of backward Euler the last difference.
TEST(SavedMechanism, GoesOnWhereTheRunEnded) {
  for (const Restart& r : restarts()) {
    SCOPED_TRACE(r.name);
    const Workplace here;
    constexpr int half = 4;
    const nlohmann::json whole = ended_with(here, r.spec + marched(r.scheme, 0, 2 * half, r.length), "whole"),
                         before = ended_with(here, r.spec + marched(r.scheme, 0, half, r.length), "before", r.on_ranks ? 2 : 1);
    for (const int ranks : {1, 2}) {
      if (ranks > 1 && !r.on_ranks) continue;
      const nlohmann::json rest = ended_with(here, r.spec + marched(r.scheme, half * r.length, half, r.length) + "initial: {from: before}\n", "rest", ranks);
      for (const auto& [name, value] : whole.items()) {
        const double expected = value, earlier = before[name];
        EXPECT_GT(std::abs(expected - earlier), 1e-4 * std::abs(expected)) << name << " hardly changes";
        EXPECT_NEAR(rest[name].get<double>(), expected, 2e-8 * (std::abs(expected) + std::abs(earlier))) << name << " on " << ranks;
      }
    }
  }
}

// Without inertia the forces at the start are those of displacements and history alone.
TEST(SavedMechanism, ForcesAtTheStartAreThoseOfTheEnd) {
  for (const char* material : {yields, draws, relaxes}) {
    SCOPED_TRACE(material);
    const Workplace here;
    const std::string spec = drawn_bar(material, watched), scheme = "scheme: bdf2, inertia: false";
    ended_with(here, spec + marched(scheme, 0, 4, 0.05), "before");
    ended_with(here, spec + marched(scheme, 0.2, 1, 0.05) + "initial: {from: before}\n", "rest");
    for (const char* of : {"left", "bottom"}) EXPECT_NEAR(first_value(here, "rest", of), first_value(here, "before", of, 4), 1e-9 * std::abs(first_value(here, "before", of, 4))) << of;
  }
}

// Other schemes begin anew, with errors of second order in their step.
TEST(SavedMechanism, OtherSchemesGoOnWithSecondOrder) {
  const std::string hinge = "output:\n  fields: none\n  quantities:\n    turned: {type: tie, tie: bob.yx}\n    y: {type: tie, tie: bob.y}\n";
  for (const std::string scheme : {"scheme: bdf2", "scheme: generalised_alpha, rho_infinity: 0.8"}) {
    SCOPED_TRACE(scheme);
    double error[2];
    for (const int k : {0, 1}) {
      const Workplace here;
      const int half = 20 << k;
      const double length = 0.05 / half;
      const nlohmann::json whole = ended_with(here, swinging_beam() + hinge + marched(scheme, 0, 2 * half, length), "whole");
      ended_with(here, swinging_beam() + hinge + marched(scheme, 0, half, length), "before");
      const nlohmann::json rest = ended_with(here, swinging_beam() + hinge + marched(scheme, 0.05, half, length) + "initial: {from: before}\n", "rest");
      error[k] = std::hypot(rest["turned"].get<double>() - whole["turned"].get<double>(), (rest["y"].get<double>() - whole["y"].get<double>()) / 0.02);
      EXPECT_LT(error[k], 0.02 * std::abs(whole["turned"].get<double>()));
    }
    EXPECT_GT(error[0] / error[1], 3) << error[0] << ", " << error[1];
  }
}

// A rigid part in free flight has the same motion on every mesh.
TEST(SavedMechanism, OnAnotherMeshPartsAreFoundByName) {
  const auto flight = [](const char* cells, const std::string& part) {
    return "title: a plate in flight\nmesh: {rectangle: {from: [-1, -1], to: [1, 1], cells: " + std::string(cells) +
           "}}\nphysics: {type: solid, kind: plane_strain}\nmaterials: {all: {model: neo_hookean, young: 1e3, poisson: 0.3, density: 1}}\n"
           "rigid: {plate: {region: body" + part + "}}\noutput: {fields: none, quantities: {x: {type: point, point: [1, 0], component: u_x}, y: {type: point, point: [1, 0], component: u_y}}}\n";
  };
  const Workplace here;
  ended_with(here, flight("[2, 2]", ", spin_z: 2, velocity_x: 3") + marched("scheme: midpoint", 0, 50, 0.005), "before");
  for (const char* cells : {"[2, 2]", "[4, 3]"}) {
    const nlohmann::json rest = ended_with(here, flight(cells, "") + marched("scheme: midpoint", 0.25, 50, 0.005) + "initial: {from: before}\n", "rest");
    EXPECT_NEAR(rest["x"].get<double>(), std::cos(1.0) - 1 + 1.5, 3e-5) << cells;  // the error of the steps
    EXPECT_NEAR(rest["y"].get<double>(), std::sin(1.0), 3e-5) << cells;
  }
}

TEST(SavedMechanism, DerivativesOfWhatFollowsAreExact) {
  const Workplace here;
  const std::string scheme = "scheme: bdf2";
  ended_with(here, swinging_beam("", "[10, 2]", "output: {fields: none}\n") + marched(scheme, 0, 4, 0.01), "before");
  here.write("spec.yaml", swinging_beam() + marched(scheme, 0.04, 4, 0.01) +
                              "initial: {from: before}\ndesign:\n  - {variable: rigid.bob.mass}\n  - {variable: rigid.bob.force_y}\n  - {variable: materials.silicone.young, scale: log}\n"
                              "objective:\n  - {type: point, point: [0.1, 0.01], component: u_y}\n  - {type: tie, tie: bob.yx, statistic: mean, weight: 0.1}\n  - {type: tie, tie: pin.x, weight: 0.01}\n");
  const Ended rigid = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(rigid.code, 0) << rigid.said();
  const std::string reaction = "objective:\n  - {type: reaction, region: left, direction: [1, 0]}\n  - {type: point, point: [2, 1], component: u_x}\n";
  for (const auto& [material, designed] : {std::pair{yields, "metal.plasticity.hardening"}, {relaxes, "metal.relaxation.slow.time"}}) {
    ended_with(here, drawn_bar(material, watched) + marched(scheme, 0, 4, 0.05), "half");
    here.write("spec.yaml", drawn_bar(material, reaction) + marched(scheme, 0.2, 4, 0.05) + "initial: {from: half}\ndesign:\n  - {variable: materials." + designed +
                                ", scale: log}\n  - {variable: materials.metal.young, scale: log}\n  - {variable: loads.pull.factor}\n");
    const Ended end = here.invar({"check", "spec.yaml"});
    EXPECT_EQ(end.code, 0) << end.said();
  }
}

TEST(SavedMechanism, WhatDoesNotFitIsNamed) {
  const Workplace here;
  const auto refused = [&](const std::string& spec, const std::vector<std::string>& words) {
    here.write("spec.yaml", spec);
    const Ended end = here.invar({"validate", "spec.yaml"});
    SCOPED_TRACE(end.said());
    EXPECT_EQ(end.code, 3);
    for (const std::string& word : words) EXPECT_NE(end.err.find(word), std::string::npos) << "no '" << word << "'";
  };
  const std::string scheme = "scheme: bdf2", from = marched(scheme, 0.02, 2, 0.01) + "initial: {from: before}\n";
  ended_with(here, swinging_beam("", "[10, 2]", "output: {fields: none}\n") + marched(scheme, 0, 2, 0.01), "before");
  refused(swinging_beam(", spin_z: 3") + from, {"'bob' begins with the velocities of the saved state", "leave out 'spin_z'"});
  std::string renamed = swinging_beam() + from;
  for (const char* bob : {"  bob:", "[bob,"}) renamed.replace(renamed.find(bob) + (bob[0] == ' ' ? 2 : 1), 3, "bib");
  refused(renamed, {"spec.yaml:15:17: error: the state '", "before/states/case.numbers' has no 'bib.x', 'bib.y', 'bib.xx'", "begin from a run with the same sections"});
  fs::remove(here.folder() / "before/states/case.numbers");
  refused(swinging_beam() + from, {"the run has no state of ties and rigid parts", "case.numbers' is missing"});

  const std::string with_history = marched(scheme, 0.1, 2, 0.05) + "initial: {from: half}\n";
  ended_with(here, drawn_bar(yields, "output: {fields: none}\n") + marched(scheme, 0, 2, 0.05), "half");
  refused(drawn_bar(yields, watched) + with_history, {"has none for the plasticity of material 'metal' at ", "the same forces among its quantities"});
  refused(drawn_bar(relaxes, "") + with_history, {"the run kept no history variables for the relaxation of material 'metal'"});
  std::string finer = drawn_bar(yields, "") + with_history;
  finer.replace(finer.find("[4, 2]"), 6, "[8, 4]");
  refused(finer, {"has history variables at the integration points of its cells, and '", "is the state of another mesh", "begin from a run on the same mesh"});
  fs::remove(here.folder() / "half/states/case.history");
  refused(drawn_bar(yields, "") + with_history, {"case.history' is missing"});
}

}  // namespace
}  // namespace invar::test
