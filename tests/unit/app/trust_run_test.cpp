#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

using nlohmann::json;

/// A clamped elastic beam, released with a velocity: it swings for ever.
std::string swing(const std::string& time, const std::string& material = "", const std::string& more = "") {
  return R"(title: a swing
mesh: {rectangle: {to: [1, 0.2], cells: [4, 1]}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: linear_elastic, young: 1e4, poisson: 0.3, density: 100)" +
         material + R"(}
boundary:
  left: {u_x: 0, u_y: 0}
initial:
  all: {v_y: "0.1*x"}
output:
  fields: none
  quantities:
    tip: {type: point, point: [1, 0.1], component: u_y}
time: )" + time +
         "\n" + more;
}

/// An unsupported block that a constant force moves as a whole: u = f t² / (2 ρ).
std::string block(const std::string& time) {
  return R"(title: a block is pushed
mesh: {rectangle: {to: [1, 1], cells: [1, 1]}}
physics: {type: solid, kind: plane_strain}
materials:
  wood: {model: linear_elastic, young: 100, poisson: 0.3, density: 2}
loads:
  push: {type: body_force, y: 3}
design:
  - {variable: loads.push.y, lower: 1, upper: 5}
objective:
  - {type: point, point: [1, 1], component: u_y}
output: {fields: none}
time: )" + time +
         "\n";
}

json run(const Workplace& here, const std::string& spec, const std::string& file = "certificate.json", int code = 0) {
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"run", "spec.yaml", "-q"});
  EXPECT_EQ(end.code, code) << end.said();
  return json_of(here.run_folder() / file);
}

TEST(Trust, EnergyOfAnElasticSwingStaysWhereTheSchemeKeepsIt) {
  const Workplace here;
  const auto drift = [&](const std::string& scheme) {
    const json of = run(here, swing("{scheme: " + scheme + ", end: 2, steps: 100}"))["processes"]["case"];
    EXPECT_TRUE(of["energy"]["conservative"].get<bool>()) << of;
    EXPECT_EQ(of["rejected"], 0);
    EXPECT_EQ(of["steps"], 100);
    EXPECT_LT(of["largest_residual"].get<double>(), 1e-9);
    return of["energy"]["largest_drift"].get<double>() * (of["energy"]["drift"].get<double>() < 0 ? -1 : 1);
  };
  EXPECT_LT(std::abs(drift("midpoint")), 1e-9);
  EXPECT_LT(std::abs(drift("newmark")), 1e-9);
  EXPECT_LT(drift("backward_euler"), -0.05);
}

TEST(Trust, TheStepsAreWrittenDown) {
  const Workplace here;
  run(here, swing("{scheme: newmark, end: 0.2, steps: 10}"));
  std::istringstream steps(content(here.run_folder() / "steps/case.csv"));
  std::string line;
  std::getline(steps, line);
  EXPECT_EQ(line, "t,residual,kinetic_energy,potential_energy");
  int rows = 0;
  while (std::getline(steps, line)) ++rows;
  EXPECT_EQ(rows, 11);
}

TEST(Trust, EveryAdjointStepHasItsResidual) {
  const Workplace here;
  run(here, block("{scheme: newmark, end: 0.5, steps: 10}"), "results.json");
  std::istringstream steps(content(here.run_folder() / "steps/case.csv"));
  std::string line;
  std::getline(steps, line);
  EXPECT_TRUE(line.starts_with("t,residual,adjoint_residual")) << line;
  double sum = 0;
  for (int row = 0; row <= 10; ++row) {
    double t = 0, forward = 0, adjoint = 1;
    char comma = 0;
    ASSERT_TRUE(steps >> t >> comma >> forward >> comma >> adjoint);
    std::getline(steps, line);
    EXPECT_TRUE(adjoint >= 0 && adjoint < 1e-9) << "step to " << t << ": " << adjoint;
    sum += adjoint;
  }
  EXPECT_GT(sum, 0);  // of all, round-off
}

TEST(Trust, DeadLoadsCountAndOthersAreNamed) {
  const Workplace here;
  const std::string time = "{scheme: newmark, end: 0.5, steps: 25}", weight = "loads:\n  weight: {type: body_force, y: -50}\n";
  const auto energy = [&](const std::string& material, const std::string& more) {
    return run(here, swing(time, material, more))["processes"]["case"]["energy"];
  };
  const json dead = energy("", weight);
  EXPECT_TRUE(dead["conservative"].get<bool>()) << dead;
  EXPECT_LT(dead["largest_drift"].get<double>(), 1e-9);
  const auto reason = [&](const std::string& material, const std::string& more) {
    const json of = energy(material, more);
    EXPECT_FALSE(of["conservative"].get<bool>()) << of;
    return of["reason"].get<std::string>();
  };
  EXPECT_EQ(reason(", mass_damping: 0.5", ""), "the mass damping of material 'rubber' takes or gives energy");
  EXPECT_EQ(reason(", shear_viscosity: 5", ""), "the viscosity of material 'rubber' takes or gives energy");
  EXPECT_EQ(reason("", "loads:\n  gust: {type: traction, region: right, y: \"sin(3*t)\"}\n"), "the traction 'gust' varies in time");
  EXPECT_EQ(reason("", "loads:\n  gas: {type: pressure, region: top, p: 3}\n"), "the pressure 'gas' takes or gives energy");
  // A mass on a surface moves along, an elastic bedding keeps what it takes.
  const json bedded = energy("", "loads:\n  bed: {type: foundation, region: bottom, y: 300}\n  coat: {type: mass, region: top, area_density: 4}\n");
  EXPECT_TRUE(bedded["conservative"].get<bool>()) << bedded;
  EXPECT_LT(bedded["largest_drift"].get<double>(), 1e-9);
}

// Newmark's steps of h: what is pushed in the last m of N steps moves the block by h² (1/4 + m (m − 1)/2) f/ρ, what is
// pushed in all by h² N²/2 f/ρ.
TEST(Trust, WhatAHorizonLeavesOfTheGradientIsMeasured) {
  const Workplace here;
  const json certificate = run(here, block("{scheme: newmark, end: 1, steps: 10, horizon: 4}"));
  EXPECT_TRUE(certificate["passed"].get<bool>());
  const json shortened = certificate["shortened_gradient"];
  EXPECT_NEAR(shortened["relative_error"].get<double>(), 1 - (0.25 + 6) / 50, 1e-9);
  EXPECT_NEAR(shortened["cosine"].get<double>(), 1, 1e-12);
  EXPECT_EQ(shortened["causes"][0], "case case: horizon of 4 steps");
  EXPECT_FALSE(run(here, block("{scheme: newmark, end: 1, steps: 10}")).contains("shortened_gradient"));
  here.write("spec.yaml", block("{scheme: newmark, end: 1, steps: 10, horizon: 4}"));
  const Ended check = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(check.code, 0) << check.said();
  EXPECT_NE(check.out.find("truncated gradient: relative difference from the full gradient 8.75e-01"), std::string::npos) << check.out;
  EXPECT_NE(check.out.find("energy drifts by"), std::string::npos) << check.out;
}

/// A column under P = 3 π² EI / 4L² leaves its straight shape as exp(σ t) with σ² ≈ ω² (P/P_c − 1), 15/s by the theory
/// of beams; the sudden load adds oscillations.
TEST(Trust, AnUnstableMotionHasNoGradientToSpeakOf) {
  const Workplace here;
  here.write("spec.yaml", R"(title: a column under three times its critical load
mesh: {rectangle: {to: [0.1, 1], cells: [1, 8]}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: neo_hookean, young: 1e4, poisson: 0.3, density: 1}
boundary:
  bottom: {u_x: 0, u_y: 0}
loads:
  weight: {type: traction, region: top, y: -67.8}
initial:
  all: {v_x: 0}
time: {scheme: newmark, end: 1, steps: 200}
design:
  - {variable: initial.all.v_x, lower: -1, upper: 1}
objective:
  - {type: point, point: [0.05, 1], component: u_x}
output: {fields: none}
)");
  const Ended end = here.invar({"run", "spec.yaml", "--set", "optimizer.max_iterations=1"});
  EXPECT_NE(end.out.find("distances of neighbouring trajectories grow by a factor of 1e"), std::string::npos) << end.said();
  const json of = json_of(here.run_folder() / "certificate.json")["processes"]["case"];
  EXPECT_GT(of["adjoint_growth"].get<double>(), 14);
  EXPECT_LT(of["adjoint_growth"].get<double>(), 22);
}

TEST(Trust, WhatSinglePrecisionCostsIsMeasured) {
  const Workplace here;
  std::string spec = swing("{scheme: newmark, end: 0.5, steps: 25, single_precision: true}", "",
                           "design:\n  - {variable: materials.rubber.young, lower: 9e3, upper: 2e4}\nobjective:\n"
                           "  - {type: point, point: [1, 0.1], component: u_y}\n");
  spec.replace(spec.find("linear_elastic"), 14, "neo_hookean");
  const json certificate = run(here, spec);
  EXPECT_TRUE(certificate["passed"].get<bool>());
  const double error = certificate["shortened_gradient"]["relative_error"].get<double>();
  EXPECT_GT(error, 1e-12);  // states have 24 binary digits
  EXPECT_LT(error, 1e-5);
}

/// x = A sin(2π t) moves all of the block: the r.m.s. over whole periods is A/√2 in every window that is as smooth.
TEST(Trust, RmsIsAnObjective) {
  const Workplace here;
  for (const char* window : {"square", "hann", "hann_squared", "bump"}) {
    const json certificate = run(here, std::string(R"--(title: to and fro
mesh: {rectangle: {to: [1, 1], cells: [1, 1]}}
physics: {type: solid, kind: plane_strain}
materials:
  wood: {model: linear_elastic, young: 100, poisson: 0.3, density: 2}
boundary:
  left: {u_x: "0.3*sin(2*pi*t)", u_y: 0}
time: {scheme: newmark, end: 8, steps: 160}
design:
  - {variable: boundary.left.factor, lower: 0.5, upper: 2}
objective:
  - {type: point, point: [0, 1], component: u_x, statistic: rms, window: )--") + window + R"(}
output:
  fields: none
  quantities:
    same: {type: point, point: [0, 1], component: u_x, statistic: rms, window: )" + window + "}\n");
    for (const json& entry : certificate["entries"]) {
      EXPECT_LT(entry["measured"].get<double>(), 1e-10) << window;
      EXPECT_NEAR(std::abs(entry["adjoint"].get<double>()), 0.3 / std::sqrt(2.0), 0.5) << window;
    }
    const json results = json_of(here.run_folder() / "results.json");
    const double factor = results["fit"]["boundary.left.factor"]["value"].get<double>();
    EXPECT_NEAR(results["objective"].get<double>(), 0.3 * factor / std::sqrt(2.0), 1e-6) << window;
    EXPECT_NEAR(results["quantities"]["same"].get<double>(), 0.3 * factor / std::sqrt(2.0), 1e-6) << window;
  }
}

TEST(Trust, ASmoothExtremumHasNoTarget) {
  const Workplace here;
  here.write("spec.yaml", swing("{scheme: newmark, end: 0.5, steps: 25}", "",
                                "design:\n  - {variable: materials.rubber.young}\n"
                                "objective:\n  - {type: point, point: [1, 0.1], component: u_y, statistic: largest, target: 0.1}\n"));
  const Ended end = here.invar({"validate", "spec.yaml"});
  EXPECT_EQ(end.code, 3);
  EXPECT_NE(end.err.find("spec.yaml:18:63: error: a measured value is compared with the true extremum"), std::string::npos) << end.err;
}

}  // namespace
}  // namespace invar::test
