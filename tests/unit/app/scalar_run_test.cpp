// A scalar that a flow carries, from the spec to the results.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/channel.hpp"
#include "tests/unit/app/program.hpp"
#include "tests/unit/app/refused.hpp"

namespace invar::test {
namespace {

nlohmann::json scalar_results(const Workplace& here, const std::string& spec, int ranks = 1) {
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"run", "spec.yaml"}, ranks);
  EXPECT_EQ(end.code, 0) << end.said();
  return end.code == 0 ? json_of(here.run_folder() / "results.json") : nlohmann::json();
}

/// Held at both ends of a stream of speed 1: c = (exp(x/D) − 1)/(exp(1/D) − 1).
constexpr const char* profile_spec = R"spec(title: a dye that diffuses against a stream
mesh: {rectangle: {to: [1, 0.0625], cells: [32, 2]}}
physics: {type: flow, kind: planar, scalar: true}
materials:
  water: {model: newtonian, density: 1, viscosity: 0.3, diffusivity: 0.15}
boundary:
  left: {u_x: 1, u_y: 0, c: 0}
  bottom: {u_y: 0}
  top: {u_y: 0}
  right: {c: 1}
output:
  probes:
    near: {point: [0.875, 0.03], component: c}
  quantities:
    out: {type: scalar_flow, region: right}
    mean: {type: mean_scalar}
    most: {type: extremum, component: c, from: [0.01, 0.03], to: [1, 0.03], kind: max}
    size: {type: field_error, c: 0}
  errors: {c: "(exp(x/0.15) - 1)/(exp(1/0.15) - 1)"}
)spec";

TEST(ScalarRun, ProfileAgainstAStreamIsThatOfTheFormula) {
  constexpr double D = 0.15;
  for (const int ranks : {1, 2}) {
    const Workplace here;
    const nlohmann::json results = scalar_results(here, profile_spec, ranks);
    if (results.is_null()) continue;
    const nlohmann::json q = results["quantities"];
    const double top = std::expm1(1 / D);
    EXPECT_NEAR(results["probes"]["near"], std::expm1(0.875 / D) / top, 1e-3);
    EXPECT_NEAR(q["mean"], D - 1 / top, 1e-3);
    EXPECT_NEAR(q["out"], 0.0625, 1e-12);
    EXPECT_NEAR(q["most"], 1, 1e-12);
    // √(∫ c²) over the strip of width 1/16
    const double square = (D / 2 * std::expm1(2 / D) - 2 * D * top + 1) / (top * top);
    EXPECT_NEAR(q["size"], std::sqrt(square / 16), 1e-3);
    EXPECT_LT(results["errors"]["case"]["scalar_l2"], 1e-3);
    if (ranks > 1) continue;
    const std::string file = content(here.run_folder() / "fields/case_1.vtu");
    EXPECT_NE(file.find("Name=\"scalar\""), std::string::npos);
    EXPECT_NE(file.find("Name=\"material_diffusivity\""), std::string::npos);
  }
}

TEST(ScalarRun, TheMixingNormHasExactDerivatives) {
  const Workplace here;
  std::string spec = profile_spec;
  spec += "    unmixed: {type: unmixedness, length: 0.1}\n";
  spec.replace(spec.find("  errors:"), spec.find("    unmixed") - spec.find("  errors:"), "");
  spec += R"(design:
  - {kind: number, variable: materials.water.diffusivity, scale: log}
  - {kind: number, variable: boundary.left.u_x}
objective:
  - {type: unmixedness, length: 0.1}
)";
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  EXPECT_NE(end.said().find("checks passed"), std::string::npos) << end.said();
  EXPECT_EQ(end.said().find("cannot tell"), std::string::npos) << end.said();
}

TEST(ScalarRun, EveryKindOfFlowCarriesOne) {
  const auto carries = [](ChannelEdits edits) {
    edits.insert(edits.begin(), {{"viscosity: 0.5", "viscosity: 0.5, diffusivity: 0.1"}, {"u_y: 0}", "u_y: 0, c: \"1 + y\"}"}});
    return channel(edits);
  };
  for (const ChannelEdits& edits :
       {ChannelEdits{{"kind: planar", "kind: planar, scalar: true, equations: stokes"}},
        ChannelEdits{{"kind: planar", "kind: planar, scalar: true"}, {"cells: [4, 2]", "cells: [4, 2], shape: triangle"}},
        ChannelEdits{{"kind: planar", "kind: axisymmetric, scalar: true"}, {"left: {", "right: {"}, {"region: right", "region: top"}, {"  top: {no_slip: true}\n", ""}},
        ChannelEdits{{"kind: planar", "kind: planar, scalar: true, viscous_term: stress"}, {"output:", "time: {scheme: sdirk2, end: 0.2, steps: 2}\noutput:"}}}) {
    const Workplace here;
    SCOPED_TRACE(edits[0].second);
    const nlohmann::json results = scalar_results(here, carries(edits) + "  quantities:\n    mean: {type: mean_scalar}\n");
    if (results.is_null()) continue;
    EXPECT_GT(results["quantities"]["mean"], 0.01);
    EXPECT_LT(results["quantities"]["mean"], 2);
  }
}

/// A source s makes c grow by s/U per metre of the stream.
TEST(ScalarRun, ASourceIsWhatTheFlowTakesAlong) {
  const Workplace here;
  std::string spec = profile_spec;
  spec.replace(spec.find("  right: {c: 1}\n"), 16, "  right: {c: 0.7}\nloads:\n  heater: {type: source, rate: 0.7}\n");
  spec.replace(spec.find("\"(exp"), std::string::npos, "0.7*x}\n");
  const nlohmann::json results = scalar_results(here, spec);
  if (results.is_null()) return;
  EXPECT_LT(results["errors"]["case"]["scalar_l2"], 1e-12);
}

/// A cloud exp(−(x − 0.8)²/2 s²), s² = 0.04 + 2 D t, is carried past a point where it is seen; how fast it spreads is
/// found from that, with the gradient of the march. Steps of the linearised scheme stay linear.
constexpr const char* cloud_spec = R"spec(title: how fast does a cloud spread?
mesh: {rectangle: {to: [2, 0.1], cells: [40, 1]}}
physics: {type: flow, kind: planar, scalar: true}
materials:
  water: {model: newtonian, density: 1, viscosity: 0.3, diffusivity: 0.04}
boundary:
  left: {u_x: 1, u_y: 0, c: 0}
  bottom: {u_y: 0}
  top: {u_y: 0}
initial:
  all: {u_x: 1, c: "exp(-(x - 0.8)^2/0.08)"}
time: {scheme: bdf2, convection: linearised, end: 0.5, steps: 40}
design:
  - {variable: materials.water.diffusivity, scale: log}
objective:
  - {type: point, point: [1.3, 0.05], component: c, file: seen.csv, noise: 0.01}
output:
  fields: none
  quantities:
    early: {type: mean_scalar, at: 0}
    late: {type: mean_scalar}
)spec";

void write_cloud(const Workplace& here) {
  std::string csv = "t,value\n";
  for (int k = 1; k <= 10; ++k) {
    const double t = 0.05 * k, square = 0.04 + 2 * 0.02 * t;
    csv += std::to_string(t) + "," + std::to_string(0.2 / std::sqrt(square) * std::exp(-std::pow(0.5 - t, 2) / (2 * square))) + "\n";
  }
  here.write("seen.csv", csv);
}

TEST(ScalarRun, DiffusivityIsFoundFromACloudThatPasses) {
  const Workplace here;
  write_cloud(here);
  const nlohmann::json results = scalar_results(here, cloud_spec);
  if (results.is_null()) return;
  EXPECT_NEAR(results["fit"]["materials.water.diffusivity"]["value"], 0.02, 1e-3);
  EXPECT_TRUE(json_of(here.run_folder() / "certificate.json")["passed"].get<bool>());
  // Nothing has left yet: the integral of the cloud is √(2π) s₀ over a length of 2.
  EXPECT_NEAR(results["quantities"]["early"], std::sqrt(2 * M_PI) * 0.2 / 2, 1e-3);
  EXPECT_NEAR(results["quantities"]["late"], results["quantities"]["early"], 1e-3);
}

/// The velocity that time begins with is a field, and c is not part of it: a vortex in a box stirs what lies in layers.
constexpr const char* stirring_vortex_spec = R"spec(title: a vortex that stirs
mesh: {rectangle: {to: [1, 1], cells: [4, 4]}}
physics: {type: flow, kind: planar, scalar: true}
materials:
  water: {model: newtonian, density: 1, viscosity: 0.05, diffusivity: 0.01}
boundary:
  left: {u_x: 0}
  right: {u_x: 0}
  bottom: {u_y: 0}
  top: {u_y: 0}
  left_bottom: {p: 0}
initial:
  all: {u_x: "sin(pi*x)*cos(pi*y)", u_y: "-cos(pi*x)*sin(pi*y)", c: x + y^2}
time: {scheme: bdf2, end: 0.2, steps: 4}
design:
  - {kind: initial_field, smoothing: 0.1}
objective:
  - {type: point, point: [0.3, 0.6], component: c, target: 0.9, noise: 0.05}
  - {type: point, point: [0.6, 0.3], component: c, target: 0.4, noise: 0.05}
)spec";

TEST(ScalarRun, AnInitialVelocityIsDesignedBesideAScalar) {
  const Workplace here;
  here.write("spec.yaml", stirring_vortex_spec);
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

// Minimised, the unmixedness makes a lid stir: faster than at the start, and not as fast as it may, for that costs.
constexpr const char* stirring_spec = R"spec(title: a lid that stirs two layers
mesh: {rectangle: {to: [1, 1], cells: [8, 8]}}
physics: {type: flow, kind: planar, scalar: true}
materials:
  water: {model: newtonian, density: 1, viscosity: 0.1, diffusivity: 0.001}
boundary:
  left: {u_x: 0, u_y: 0}
  right: {u_x: 0, u_y: 0}
  bottom: {u_x: 0, u_y: 0}
  top: {u_x: "16*x^2*(1 - x)^2", u_y: 0, factor: 0.5}
  left_bottom: {p: 0}
initial:
  all: {c: "cos(pi*x)"}
time: {scheme: bdf2, end: 1, steps: 8}
design:
  - {variable: boundary.top.factor, lower: 0, upper: 4}
objective:
  - {type: unmixedness, length: 0.3}
  - {type: actuation, variable: boundary.top.factor, weight: 0.01}
optimizer: {max_iterations: 12}
output:
  fields: none
  quantities:
    before: {type: unmixedness, length: 0.3, at: 0}
    after: {type: unmixedness, length: 0.3}
    variance: {type: unmixedness, length: 0, at: 0}
)spec";

TEST(ScalarRun, UnmixednessIsMinimisedByStirring) {
  const Workplace here;
  const nlohmann::json results = scalar_results(here, stirring_spec);
  if (results.is_null()) return;
  const double variance = results["quantities"]["variance"], before = results["quantities"]["before"];
  EXPECT_NEAR(variance, 0.5, 0.02);
  EXPECT_NEAR(before / variance, 1 / (1 + 0.09 * M_PI * M_PI), 0.01);
  const double speed = results["fit"]["boundary.top.factor"]["value"], after = results["quantities"]["after"];
  EXPECT_GT(speed, 1);
  EXPECT_LT(speed, 3.9);
  EXPECT_LT(after, 0.8 * before);
  EXPECT_TRUE(results["optimizer"]["converged"]);
  EXPECT_TRUE(json_of(here.run_folder() / "certificate.json")["passed"].get<bool>());
}

// ---- bad input ------------------------------------------------------------------------------------

TEST(BadScalar, WhatCannotCarryOne) {
  const std::string carries = "kind: planar, scalar: true";
  const std::pair<std::string, std::string> diffuses{"viscosity: 0.5", "viscosity: 0.5, diffusivity: 0.1"};
  expect_refused(channel({{"kind: planar", carries + ", elements: equal_order"}, diffuses}),
                 {"spec.yaml:3:45: error: a passive scalar is available in Taylor-Hood flow only", "elements: taylor_hood"});
  expect_refused(channel({}) + "solver: {linear: coupled_amg}\n",
                 {"'coupled_amg' is for flow on stabilised elements of equal order", "field_split_amg"});
  expect_refused(channel({{"kind: planar", "kind: planar, elements: equal_order, grad_div: 0.1"}}),
                 {"'grad_div' is for Taylor-Hood elements", "leave it out"});
  expect_refused(channel({{"kind: planar", carries}, diffuses}) + "solver: {linear: field_split}\n",
                 {"spec.yaml:17:18: error: 'field_split' is for velocity and pressure only", "use auto"});
  expect_refused(channel({{"kind: planar", carries}}), {"spec.yaml:5:10: error: 'diffusivity' is missing", "m^2/s"});
  expect_refused(channel({{"kind: planar", carries}, {"viscosity: 0.5", "viscosity: 0.5, diffusivity: 0"}}), {"expected a number > 0"});
  expect_refused(channel({{"kind: planar", carries},
                          diffuses,
                          {"p: 0}", "p: 0}\n  a: {type: source, rate: 1}\n  b: {type: source, rate: 2}"}}),
                 {"the fluid 'water' already has the source 'a'"});
}

TEST(BadScalar, WhatIsOfNone) {
  expect_refused(channel({{"viscosity: 0.5", "viscosity: 0.5, diffusivity: 0.1"}}),
                 {"spec.yaml:5:57: error: 'diffusivity' is for a passive scalar, and this flow has none", "scalar: true"});
  expect_refused(channel({{"u_y: 0}", "u_y: 0, c: 1}"}}), {"spec.yaml:7:38: error: 'c' is for a passive scalar, and this flow has none"});
  expect_refused(channel({{"loads:", "initial:\n  all: {c: 1}\ntime: {scheme: bdf2, end: 1, steps: 2}\nloads:"}}),
                 {"spec.yaml:11:9: error: there is no flow with a passive scalar here"});
  expect_refused(channel({{"p: 0}", "p: 0}\n  a: {type: source, rate: 1}"}}), {"the load 'source' is for a passive scalar, and this flow has none"});
  expect_refused(channel({{"component: u_x", "component: c"}}), {"the unknown has no component 'c'", "its components: u_x, u_y, p"});
  expect_refused(channel() + "  quantities:\n    q: {type: mean_scalar}\n", {"spec.yaml:18:8: error: this flow has no passive scalar"});
  expect_refused(channel() + "  quantities:\n    q: {type: unmixedness, length: 1}\n", {"spec.yaml:18:8: error: this flow has no passive scalar"});
  expect_refused(channel() + "  quantities:\n    q: {type: unmixedness, length: -1}\n", {"expected a number >= 0"});
  expect_refused(channel() + "  errors: {c: 1}\n", {"spec.yaml:17:12: error: the unknown has no component 'c'"});
  expect_refused(beam({{"left: {u_x: 0, u_y: 0}", "left: {u_x: 0, u_y: 0, c: 1}"}}), {"'c' is for flow, fsi, and the physics is 'solid'"});
}

}  // namespace
}  // namespace invar::test
