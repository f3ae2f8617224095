#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/interrupted.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

using nlohmann::json;

const json& check_of(const json& results, const std::string& kind) {
  for (const json& c : results.at("verification").at("checks"))
    if (c.at("kind") == kind) return c;
  throw std::logic_error("no check '" + kind + "'");
}

/// A bar in uniform tension, which every mesh and order represents exactly: its end moves by p L / E.
constexpr const char* bar_in_tension = R"(title: a bar
mesh: {rectangle: {to: [2, 1], cells: [2, 1], shape: triangle}}
physics: {type: solid, kind: plane_stress, order: 1}
materials:
  rubber: {model: linear_elastic, young: 100, poisson: 0.3}
boundary:
  left: {u_x: 0}
  left_bottom: {u_y: 0}
loads:
  pull: {type: traction, region: right, x: 1}
design:
  - {variable: loads.pull.x, start: 2, lower: 0.1, upper: 10}
objective:
  - {type: point, point: [2, 1], component: u_x, target: 0.03}
  - {type: actuation, variable: loads.pull.x, weight: 1e-5}
output: {fields: none}
)";

TEST(Verify, WhatIsExactOnEveryMeshSurvivesWhole) {
  const Workplace here;
  here.write("spec.yaml", std::string(bar_in_tension) + "verify: {refine: [mesh, order, tolerance, start], levels: 2}\n");
  const Ended run = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(run.code, 0) << run.said();
  const json results = json_of(here.run_folder() / "results.json");
  // J(p) = ½ (p L/E − 0.03)² + 1e-5 p².
  const auto J = [](double p) { return 0.5 * std::pow(0.02 * p - 0.03, 2) + 1e-5 * p * p; };
  for (const char* kind : {"mesh", "order", "tolerance"}) {
    const json& c = check_of(results, kind);
    EXPECT_NEAR(c.at("share"), 1, 1e-8) << kind;
    EXPECT_NEAR(c.at("objective_at_start"), J(2), 1e-12) << kind;
    EXPECT_NEAR(c.at("objective"), J(0.02 * 0.03 / (0.02 * 0.02 + 2e-5)), 1e-12) << kind;
  }
  EXPECT_LT(check_of(results, "mesh").at("gci"), 1e-8);
  EXPECT_EQ(check_of(results, "start").at("reason"), "the same optimum");
  EXPECT_EQ(results["verification"]["verdict"].get<std::string>().find("verified: 100 % of the gain survives"), 0u);
}

TEST(Verify, WhatCanNeverBeConclusiveIsRefusedBeforeTheSearch) {
  const Workplace here;
  const std::string spec = std::string(bar_in_tension) + "verify:\n  refine: [mesh, step, black_white, corners, convex]\n";
  here.write("spec.yaml", spec);
  const auto line = std::to_string(std::ranges::count(spec, '\n'));
  for (const char* verb : {"validate", "run"}) {
    const Ended end = here.invar({verb, "spec.yaml"});
    EXPECT_EQ(end.code, 3) << end.said();
    for (const std::string& said : {line + ":18: error: the check 'step' cannot be conclusive: no case is a process in time: there are no steps to shorten",
                                    line + ":24: error: the check 'black_white' cannot be conclusive: no density is designed",
                                    line + ":37: error: the check 'corners' cannot be conclusive: no density is designed",
                                    line + ":46: error: the check 'convex' cannot be conclusive: the design is not a single density"})
      EXPECT_NE(end.err.find("spec.yaml:" + said), std::string::npos) << said << '\n' << end.err;
    EXPECT_TRUE(end.err.ends_with("\n4 mistakes\n")) << end.err;
  }
  here.write("second.yaml", std::string(bar_in_tension) + "verify: {refine: order}\n");
  const Ended order = here.invar({"validate", "second.yaml", "--set", "physics.order=2"});
  EXPECT_NE(order.err.find("the check 'order' cannot be conclusive: the elements have the highest available order"), std::string::npos) << order.said();
}

/// A block in simple shear between a spring and a dashpot: γ' = (τ − G γ)/η, which steps of backward Euler turn into
/// γ_n = τ/G (1 − (1 + h G/η)^−n). What is minimised is γ(1) by the load τ.
TEST(Verify, ShorterStepsAreThoseOfTheSchemeAndConvergeInItsOrder) {
  const Workplace here;
  here.write("spec.yaml", R"(title: a dashpot
mesh: {rectangle: {to: [1, 1], cells: [1, 1]}}
physics: {type: solid, kind: plane_strain, order: 1}
materials:
  rubber: {model: linear_elastic, young: 2, poisson: 0, density: 1, shear_viscosity: 0.5}
boundary:
  bottom: {u_x: 0, u_y: 0}
  left: {u_y: 0}
  right: {u_y: 0}
  top: {u_y: 0}
loads:
  pull: {type: traction, region: top, x: 1e-6}
time: {scheme: backward_euler, inertia: false, end: 1, steps: 8}
design:
  - {variable: loads.pull.x, start: 2e-6, lower: 1e-6, upper: 3e-6}
objective:
  - {type: point, point: [1, 1], component: u_x, weight: 1e6}
optimizer: {method: quasi_newton}
output: {fields: none}
verify: {refine: step, levels: 2}
)");
  const Ended run = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(run.code, 0) << run.said();
  const json results = json_of(here.run_folder() / "results.json");
  const auto shear = [](double load, int steps) { return load * (1 - std::pow(1 + 1 / (0.5 * steps), -steps)); };
  const json& c = check_of(results, "step");
  for (const int level : {0, 1}) {
    EXPECT_NEAR(c.at("levels")[level].at("objective_at_start"), shear(2, 16 << level), 1e-5);
    EXPECT_NEAR(c.at("levels")[level].at("objective"), shear(1, 16 << level), 1e-5);
  }
  EXPECT_NEAR(c.at("share"), shear(1, 32) / shear(1, 8), 1e-5);
  EXPECT_NEAR(c.at("convergence").at("observed_order"), 1, 0.15);
  const double error = std::abs(shear(1, 32) - (1 - std::exp(-2.0)));
  EXPECT_NEAR(c.at("gci").get<double>() * shear(1, 32), 1.25 * error, 0.15 * error);
}

/// Bending on triangles of first order, which lock as the body becomes incompressible: on the coarse mesh the deflection
/// falls by far more with Poisson's ratio than the (1 − ν²) of plane strain.
constexpr const char* locking = R"(title: stiffened by locking
mesh: {rectangle: {to: [10, 1], cells: [20, 2], shape: triangle}}
physics: {type: solid, kind: plane_strain, order: 1}
materials:
  rubber: {model: linear_elastic, young: 100, poisson: 0.3}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  tip: {type: traction, region: right, y: -0.001}
design:
  - {variable: materials.rubber.poisson, start: 0.3, lower: 0, upper: 0.4999}
objective:
  - {type: point, point: [10, 0.5], component: u_y, weight: -1}
optimizer: {method: quasi_newton}
verify: {refine: order}
)";

TEST(Verify, AGainThatTheMeshGaveIsNone) {
  const Workplace here;
  here.write("spec.yaml", locking);
  const Ended run = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(run.code, 5) << run.said();
  const json results = json_of(here.run_folder() / "results.json");
  const double share = results["verification"]["survives"];
  EXPECT_LT(share, 0.5);
  EXPECT_GT(share, 0.1);
  EXPECT_EQ(results["verification"]["passed"], false);
  // Euler and Bernoulli: p L³ (1 − ν²)/(3 E I) at the start, and elements of second order are within 2 % of it.
  EXPECT_NEAR(check_of(results, "order").at("objective_at_start"), 0.001 * 1000 * 0.91 / (3 * 100.0 / 12), 0.02 * 0.0364);
  EXPECT_NE(run.out.find("of the gain survives (order)"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("at least 50 % is required"), std::string::npos) << run.out;
  EXPECT_TRUE(fs::exists(here.run_folder() / "verify/order/case_1.vtu"));
  EXPECT_EQ(json_of(here.run_folder() / "run.json").at("exit_code"), 5);
  // Users may ask for less.
  const Ended lenient = here.invar({"run", "spec.yaml", "--set", "verify.survive=0.3"});
  EXPECT_EQ(lenient.code, 0) << lenient.said();
}

/// Half of the beam of Messerschmitt, Bölkow and Blohm on few cells: with a filter of two cells a body, without one a checkerboard,
/// which elements of first order take for stiff.
std::string coarse_beam(const char* radius) {
  return std::string(R"(title: a coarse beam
mesh: {rectangle: {to: [30, 10], cells: [30, 10]}}
physics: {type: solid, kind: plane_stress, order: 1}
materials:
  steel: {model: linear_elastic, young: 1, poisson: 0.3}
boundary:
  left: {u_x: 0}
  right_bottom: {u_y: 0}
loads:
  load: {type: point_force, region: left_top, y: -1}
design:
  - {kind: solid_density, variable: materials.steel.young, start: 0.5, radius: )") + radius + R"(, stages: [{penalty: 3, iterations: 40}]}
objective:
  - {type: compliance}
constraints:
  - {name: volume, type: material_volume, upper: 150, scale: 150}
verify: {refine: mesh}
)";
}

TEST(Verify, ACheckerboardIsCaught) {
  const Workplace here;
  here.write("spec.yaml", coarse_beam("0"));
  const Ended run = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(run.code, 5) << run.said();
  const json results = json_of(here.run_folder() / "results.json");
  // Four times as many cells believe in it as much; without its corners the body is in pieces.
  EXPECT_GT(check_of(results, "mesh").at("share"), 0.9);
  EXPECT_LT(check_of(results, "corners").at("share"), 0);
  EXPECT_EQ(results["verification"]["passed"], false);
  EXPECT_NE(run.out.find("not verified: nothing of the gain survives"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("of the body are connected at corners of cells"), std::string::npos) << run.out;
  EXPECT_TRUE(fs::exists(here.run_folder() / "verify/corners/case_1.vtu"));
  // It goes on as it would have ended.
  const Ended again = here.invar({"verify", "results/spec"});
  EXPECT_EQ(again.code, 5) << again.said();
  EXPECT_EQ(json_of(here.run_folder() / "results.json").at("verification"), results.at("verification"));
}

TEST(Verify, ACheckerboardIsTheSameOnTwoRanks) {
  const Workplace here;
  here.write("spec.yaml", coarse_beam("0") + "solver: {linear: redundant}\noutput: {fields: none}\n");
  json one;
  for (const int ranks : {1, 2}) {
    const std::string name = "on" + std::to_string(ranks);
    const Ended run = here.invar({"run", "spec.yaml", "--set", "verify.refine=[black_white]", "--out", name}, ranks);
    ASSERT_EQ(run.code, 5) << run.said();
    const json results = json_of(here.folder() / name / "results.json");
    if (ranks == 1) one = results;
    for (const char* kind : {"black_white", "corners"}) {
      const double before = check_of(one, kind).at("objective");
      EXPECT_NEAR(check_of(results, kind).at("objective"), before, 1e-6 * before) << kind;
    }
    EXPECT_EQ(check_of(results, "corners").at("reason"), check_of(one, "corners").at("reason"));
  }
}

TEST(Verify, AFilteredBeamIsNone) {
  const Workplace here;
  here.write("spec.yaml", coarse_beam("2"));
  const Ended run = here.invar({"run", "spec.yaml", "--set", "verify.refine=[mesh, corners]"});
  EXPECT_EQ(run.code, 0) << run.said();
  const json results = json_of(here.run_folder() / "results.json");
  EXPECT_EQ(check_of(results, "corners").at("outcome"), "described");
  EXPECT_EQ(check_of(results, "corners").at("reason"), "no cell of the body is connected at a corner only");
  EXPECT_EQ(results["verification"]["checks"].size(), 3u);
  EXPECT_FALSE(check_of(results, "fitted").at("asked"));
}

/// A stiffness per cell, fitted to markers: the field goes to the finer mesh.
std::string field_of_beam(const std::string& verify) {
  return beam({{"- {variable: materials.rubber.young, start: 80, lower: 10, upper: 1000}",
                "- {kind: field, variable: materials.rubber.young, start: 80, lower: 10, upper: 1000, radius: 0.3}"}}) +
         "optimizer: {max_iterations: 8, gradient_tolerance: 1e-2}\nverify: " + verify + "\n";
}

TEST(Verify, IsTheSameOnThreeRanks) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", field_of_beam("{refine: [mesh, start], survive: 0.2}\nsolver: {linear: redundant}"));
  std::vector<json> results;
  for (const int ranks : {1, 3}) {
    const std::string name = "on" + std::to_string(ranks);
    const Ended run = here.invar({"run", "spec.yaml", "--out", name}, ranks);
    ASSERT_TRUE(run.code == 0 || run.code == 5) << run.said();
    results.push_back(json_of(here.folder() / name / "results.json"));
    for (const char* kind : {"mesh", "start"}) {
      const double one = check_of(results[0], kind).at("objective"), now = check_of(results.back(), kind).at("objective");
      EXPECT_NEAR(now, one, 1e-6 * std::abs(one)) << kind << " on " << ranks;
    }
  }
}

TEST(Verify, ARunKilledInItGoesOnThereAndEndsTheSame) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", field_of_beam("{refine: [mesh, tolerance, start], survive: 0.2}"));
  const Ended whole = here.invar({"run", "spec.yaml", "--out", "whole"});
  ASSERT_TRUE(whole.code == 0 || whole.code == 5) << whole.said();
  const pid_t child = here.start({"run", "spec.yaml", "--out", "killed"});
  const auto begin = std::chrono::steady_clock::now();
  while (!fs::exists(here.folder() / "killed/verify/checks.json") && std::chrono::steady_clock::now() - begin < std::chrono::seconds(60))
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  ::kill(child, SIGKILL);
  here.end_of(child);
  const Ended rest = here.invar({"resume", "killed"});
  EXPECT_EQ(rest.code, whole.code) << rest.said();
  EXPECT_NE(rest.out.find("the optimum was found before"), std::string::npos) << rest.out;
  expect_same(here.folder() / "whole", here.folder() / "killed");
}

TEST(Verify, ASignalEndsItAndItGoesOn) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", field_of_beam("{refine: [mesh, start], survive: 0.2}"));
  const Ended whole = here.invar({"run", "spec.yaml", "--out", "whole"});
  const pid_t child = here.start({"run", "spec.yaml", "--out", "stopped"});
  const auto begin = std::chrono::steady_clock::now();
  while (!fs::exists(here.folder() / "stopped/verify/checks.json") && std::chrono::steady_clock::now() - begin < std::chrono::seconds(60))
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  ::kill(child, SIGUSR1);
  const Ended stopped = here.end_of(child);
  EXPECT_EQ(stopped.code, 75) << stopped.said();
  EXPECT_NE(stopped.out.find("interrupted during the verification of the optimum"), std::string::npos) << stopped.out;
  // What it kept has words where numbers were: the checks are made again.
  nlohmann::json kept = json_of(here.folder() / "stopped/verify/checks.json");
  kept["levels"] = "one";
  std::ofstream(here.folder() / "stopped/verify/checks.json") << kept;
  EXPECT_EQ(here.invar({"resume", "stopped"}).code, whole.code);
  expect_same(here.folder() / "whole", here.folder() / "stopped");
}

// Equations that are solved loosely at first, in so few steps that they cannot be solved well.
TEST(Verify, ASolveThatFailsIsAVerdict) {
  const Workplace here;
  here.write("spec.yaml", R"(title: a loose beam
mesh: {rectangle: {to: [1, 0.25], cells: [4, 1]}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: neo_hookean, young: 100, poisson: 0.3}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  tip: {type: traction, region: right, y: 2}
design:
  - {variable: materials.rubber.young, start: 80, lower: 10, upper: 1000}
objective:
  - {type: point, point: [1, 0.25], component: u_y, target: 0.5, noise: 0.01}
solver: {rtol: 1e-2, max_iterations: 5, max_cuts: 0}
optimizer: {max_iterations: 3}
verify: {refine: tolerance}
output: {fields: none}
)");
  const Ended run = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(run.code, 5) << run.said();
  const json results = json_of(here.run_folder() / "results.json");
  EXPECT_EQ(check_of(results, "tolerance").at("outcome"), "cannot tell") << results["verification"];
  EXPECT_TRUE(results["verification"]["survives"].is_null());
  EXPECT_NE(run.out.find("cannot tell, because the start cannot be solved"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("not verified: no check was conclusive"), std::string::npos) << run.out;
}

TEST(Verify, AnotherStartNeedsBoundsOfTheVariableThatItNames) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", beam({{", lower: 10, upper: 1000", ""}, {"output:", "verify: {refine: start}\noutput:"}}));
  const Ended end = here.invar({"validate", "spec.yaml"});
  EXPECT_EQ(end.code, 3) << end.said();
  EXPECT_NE(end.err.find("the check 'start' cannot be conclusive: 'materials.rubber.young' has no bounds"), std::string::npos) << end.said();
}

TEST(Verify, ASimulationHasNoOptimumToVerify) {
  const Workplace here;
  std::string spec = bar_in_tension;
  spec.erase(spec.find("design:"), spec.find("output:") - spec.find("design:"));
  here.write("spec.yaml", spec + "verify: {refine: [start, step]}\n");
  const Ended end = here.invar({"validate", "spec.yaml"});
  EXPECT_EQ(end.code, 3);
  for (const char* words : {"'start' verifies an optimum, and there is no 'design'", "there is no other setting 'step': no case is a process in time"}) EXPECT_NE(end.err.find(words), std::string::npos) << end.err;
}

TEST(Verify, MayBeAskedForLater) {
  const Workplace here;
  here.write("spec.yaml", bar_in_tension);
  ASSERT_EQ(here.invar({"run", "spec.yaml"}).code, 0);
  const Ended later = here.invar({"verify", "results/spec"});
  EXPECT_EQ(later.code, 0) << later.said();
  EXPECT_NE(later.out.find("the optimum was found before"), std::string::npos) << later.out;
  EXPECT_NEAR(json_of(here.run_folder() / "results.json")["verification"]["survives"], 1, 1e-8);
  const Ended more = here.invar({"resume", "results/spec", "--set", "verify.refine=[mesh, order]"});
  EXPECT_EQ(more.code, 0) << more.said();
  EXPECT_EQ(json_of(here.run_folder() / "results.json")["verification"]["checks"].size(), 2u);
}

/// A limit that is raised goes on with the search, although an optimum has been kept.
TEST(Verify, DoesNotKeepASearchFromGoingOn) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", field_of_beam("{refine: mesh, survive: 0.2}"));
  here.invar({"run", "spec.yaml", "--out", "short", "--set", "optimizer.max_iterations=2"});
  here.invar({"run", "spec.yaml", "--out", "long"});
  const Ended on = here.invar({"resume", "short", "--set", "optimizer.max_iterations=8"});
  EXPECT_EQ(on.out.find("found before"), std::string::npos) << on.out;
  expect_same(here.folder() / "long", here.folder() / "short");
}

}  // namespace
}  // namespace invar::test
