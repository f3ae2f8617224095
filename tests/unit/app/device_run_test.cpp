// Runs with `solver.device`: in emulation what the processor gives, and what is said where there is no device.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

/// A bar in space under a traction and a pressure that follows it, in two load steps: its modulus, a load and the places of its
/// boundary are designed.
constexpr const char* bent_bar = R"(title: a bent bar
mesh: {box: {to: [2, 0.5, 0.5], cells: [3, 1, 1], shape: tetrahedron}}
physics: {type: solid, kind: spatial, order: 2}
materials:
  rubber: {model: neo_hookean, young: 100, poisson: 0.3}
boundary:
  left: {u_x: 0, u_y: 0, u_z: 0}
loads:
  tip: {type: traction, region: right, y: 0.2}
  gas: {type: pressure, region: top, p: 0.3}
time: {steps: 2}
design:
  - {variable: materials.rubber.young, lower: 10, upper: 1000}
  - {variable: loads.tip.y, lower: -1, upper: 1}
objective:
  - {type: point, point: [2, 0.5, 0.5], component: u_y}
optimizer: {max_iterations: 0}
)";
/// A strip that swings under its own weight, by Newmark's scheme; its form is designed.
constexpr const char* swinging_strip = R"(title: a strip that swings
mesh:
  rectangle: {to: [1, 0.25], cells: [4, 1]}
  regions: {skin: [top, bottom]}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: neo_hookean, young: 100, poisson: 0.3, density: 2, shear_viscosity: 0.1}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  weight: {type: body_force, y: -1}
time: {scheme: newmark, end: 0.4, steps: 4}
design:
  - {variable: materials.rubber.density, lower: 1, upper: 3}
  - {kind: ffd, region: skin, from: [0, 0], to: [1, 0.25], points: [3, 2], degree: 2, moves: [y], frozen: [1, 0, 0, 0], scale: 0.01, largest: 0.1}
objective:
  - {type: point, point: [1, 0.25], component: u_y}
optimizer: {max_iterations: 0}
)";
/// The strip without viscosity, on elements of second order, in explicit steps with a lumped mass.
std::string explicit_strip() {
  std::string spec = swinging_strip;
  for (const auto& [from, to] : {std::pair{", shear_viscosity: 0.1", ""}, {"cells: [4, 1]}", "cells: [4, 1], shape: triangle}"}, {"kind: plane_strain}", "kind: plane_strain, order: 2}"},
                                 {"scheme: newmark, end: 0.4, steps: 4", "scheme: central_differences, mass: lumped, end: 0.1, steps: 40"}})
    spec.replace(spec.find(from), std::string(from).size(), to);
  return spec;
}
/// Steady flow through a channel with a free end.
constexpr const char* skew_channel = R"yaml(title: a channel
mesh: {rectangle: {to: [2, 1], cells: [4, 3]}}
physics: {type: flow, kind: planar, elements: taylor_hood}
materials:
  water: {model: newtonian, density: 1, viscosity: 0.05}
boundary:
  left: {u_x: "4*y*(1-y)*(1+y)", u_y: 0}
  bottom: {u_x: 0, u_y: 0}
  top: {u_x: 0, u_y: 0}
loads:
  end: {type: pressure, region: right, p: 0.1}
design:
  - {variable: materials.water.viscosity, lower: 0.01, upper: 1}
objective:
  - {type: dissipation}
optimizer: {max_iterations: 0}
)yaml";

std::string on(const std::string& device, const std::string& spec) { return spec + "solver: {device: " + device + "}\n"; }

struct Found {
  nlohmann::json results, gradient, certificate, record;
  Ended end;
};

Found evaluated(const std::string& spec, const std::vector<std::string>& options = {}) {
  const Workplace here;
  here.write("spec.yaml", spec);
  Found found;
  std::vector<std::string> arguments{"run", "spec.yaml", "-v"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  found.end = here.invar(arguments);
  if (found.end.code != 0) return found;
  found.results = json_of(here.run_folder() / "results.json");
  found.gradient = json_of(here.run_folder() / "gradient.json");
  found.certificate = json_of(here.run_folder() / "certificate.json");
  found.record = json_of(here.run_folder() / "run.json");
  return found;
}

std::vector<double> numbers_in(const nlohmann::json& j) {
  std::vector<double> all;
  if (j.is_number()) all.push_back(j.get<double>());
  if (j.is_structured())
    for (const auto& part : j)
      for (const double v : numbers_in(part)) all.push_back(v);
  return all;
}

/// Adjoint against tangent along every direction that was tried.
void expect_exact_adjoint(const nlohmann::json& certificate) {
  EXPECT_EQ(certificate["passed"], true);
  int compared = 0;
  for (const nlohmann::json& entry : certificate["entries"]) {
    if (entry["check"] != "dot product") continue;
    ++compared;
    const double adjoint = entry["adjoint"].get<double>(), tangent = entry["reference"].get<double>();
    EXPECT_NE(tangent, 0) << entry["subject"];
    EXPECT_NEAR(adjoint, tangent, 1e-10 * std::abs(tangent)) << entry["subject"];
  }
  EXPECT_GE(compared, 2) << "along the gradient, and in a random direction; of constraints, too";
}

void expect_same(const Found& device, const Found& host) {
  ASSERT_EQ(host.end.code, 0) << host.end.said();
  ASSERT_EQ(device.end.code, 0) << device.end.said();
  const double J = host.results["objective"].get<double>();
  EXPECT_NE(J, 0);
  EXPECT_NEAR(device.results["objective"].get<double>(), J, 1e-10 * std::abs(J));
  const auto expected = numbers_in(host.gradient), found = numbers_in(device.gradient);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-9 * std::abs(expected[k])) << k;
  expect_exact_adjoint(device.certificate);
}

void expect_same_as_processor(const std::string& spec) {
  const Found host = evaluated(spec), device = evaluated(on("emulation", spec)), again = evaluated(on("emulation", spec));
  expect_same(device, host);
  EXPECT_EQ(again.gradient, device.gradient) << "the same bits each time";
  EXPECT_TRUE(host.record["device"].is_null());
  EXPECT_EQ(device.record["device"], "emulation on the host");
  EXPECT_NE(device.end.out.find("kernels, copies to it"), std::string::npos) << device.end.out;
}

TEST(DeviceRun, SolidsAreThoseOfTheProcessor) { expect_same_as_processor(bent_bar); }
TEST(DeviceRun, MotionsAndTheirShapesAreThoseOfTheProcessor) { expect_same_as_processor(swinging_strip); }
TEST(DeviceRun, ExplicitStepsAreThoseOfTheProcessor) { expect_same_as_processor(explicit_strip()); }
TEST(DeviceRun, FlowsAreThoseOfTheProcessor) { expect_same_as_processor(skew_channel); }

/// The bar without the pressure that follows it: its matrix is symmetric.
std::string symmetric_bar() {
  std::string spec = bent_bar;
  const std::string follower = "  gas: {type: pressure, region: top, p: 0.3}\n";
  spec.erase(spec.find(follower), follower.size());
  return spec;
}

// No matrix of the second-order elements is assembled there.
TEST(DeviceRun, MultigridOnProductsIsAsExactAsFactors) {
  const std::string spec = symmetric_bar();
  const Found host = evaluated(spec), device = evaluated(spec + "solver: {device: emulation, linear: cg_p_multigrid, linear_rtol: 1e-12}\n");
  ASSERT_EQ(host.end.code, 0) << host.end.said();
  ASSERT_EQ(device.end.code, 0) << device.end.said();
  const double J = host.results["objective"].get<double>();
  EXPECT_NEAR(device.results["objective"].get<double>(), J, 1e-9 * std::abs(J));
  const auto expected = numbers_in(host.gradient), found = numbers_in(device.gradient);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-9 * std::abs(expected[k])) << k;
  expect_exact_adjoint(device.certificate);
}

/// A run in emulation with this cuDSS, by `auto`.
Found automatic(const std::string& spec, const char* cudss, const std::vector<std::string>& options = {}) {
  setenv("INVAR_CUDSS", cudss, 1);
  Found found = evaluated(spec + "solver: {device: emulation, linear_rtol: 1e-12}\n", options);
  unsetenv("INVAR_CUDSS");
  return found;
}

TEST(DeviceRun, AutoSolvesWhereTheMatrixIs) {
  for (const auto& [spec, method] : {std::pair{std::string(bent_bar), "cudss"}, {symmetric_bar(), "cudss_ldlt"}, {swinging_strip, "cudss"}, {explicit_strip(), "cudss_ldlt"}, {skew_channel, "cudss"}}) {
    const Found host = evaluated(spec), device = automatic(spec, INVAR_CUDSS_STAND_IN);
    expect_same(device, host);
    EXPECT_NE(device.end.out.find("linear systems are solved on the device by " + std::string(method) + ": "), std::string::npos) << device.end.out;
    EXPECT_TRUE(device.record["device"].get<std::string>().starts_with("emulation on the host; linear systems by " + std::string(method) + ": ")) << device.record;
  }
}

/// The bar swings, by a scheme whose matrices combine stiffness and mass; the initial accelerations are solved for with the mass alone.
std::string swinging_bar() {
  std::string spec = symmetric_bar();
  for (const auto& [from, to] : {std::pair{"poisson: 0.3", "poisson: 0.3, density: 2"}, {"time: {steps: 2}", "time: {scheme: newmark, end: 0.3, steps: 3}"},
                                 {"materials.rubber.young, lower: 10, upper: 1000", "materials.rubber.density, lower: 1, upper: 3"}})
    spec.replace(spec.find(from), std::string(from).size(), to);
  return spec;
}

TEST(DeviceRun, AutoTakesMultigridForLargeBodiesInTime) {
  const Found host = evaluated(swinging_bar()), device = automatic(swinging_bar(), INVAR_CUDSS_STAND_IN, {"--", "-invar_p_multigrid_from", "100"});
  expect_same(device, host);
  EXPECT_NE(device.end.out.find("linear solver cg_p_multigrid, for"), std::string::npos) << device.end.out;
}

TEST(DeviceRun, AutoTakesMultigridForLargeBodies) {
  const std::string spec = symmetric_bar();
  const Found host = evaluated(spec), device = automatic(spec, INVAR_CUDSS_STAND_IN, {"--", "-invar_p_multigrid_from", "100"});
  expect_same(device, host);
  EXPECT_NE(device.end.out.find("linear solver cg_p_multigrid, for"), std::string::npos) << device.end.out;
  const Found slender = automatic(spec, INVAR_CUDSS_STAND_IN, {"--", "-invar_p_multigrid_from", "100", "-invar_ksp_max_it", "3"});
  expect_same(slender, host);
  EXPECT_NE(slender.end.out.find("linear solver cudss_ldlt from here on: "), std::string::npos) << slender.end.out;
}

TEST(DeviceRun, AutoSaysWhyItSolvesOnTheProcessor) {
  const Found host = evaluated(bent_bar), device = automatic(bent_bar, "/nowhere/libcudss.so");
  expect_same(device, host);
  EXPECT_NE(device.end.out.find("linear systems are solved on the processor: cuDSS cannot be used: /nowhere/libcudss.so"), std::string::npos) << device.end.out;
  EXPECT_EQ(device.record["device"], "emulation on the host");
}

/// The angle of a stream for a given lift is found together with the state, by a matrix with one more row, which is made on the processor.
TEST(DeviceRun, ATrimTakesTheMatrixApart) {
  const std::string spec = R"(title: a block in a stream
mesh: {rectangle: {from: [-1, -1], to: [1, 1], cells: [4, 4]}}
physics: {type: flow, kind: planar, elements: taylor_hood}
materials: {air: {model: newtonian, density: 1.2, viscosity: 0.3}}
boundary:
  left: {speed: 1.5, angle: 25}
  right: {no_slip: true}
trim: {type: lift_coefficient, region: right, stream: left, value: 0.1, by: boundary.left.angle}
design:
  - {variable: materials.air.viscosity, lower: 0.1, upper: 1}
objective:
  - {type: dissipation}
optimizer: {max_iterations: 0}
)";
  const Found host = evaluated(spec), device = automatic(spec, INVAR_CUDSS_STAND_IN), named = automatic(spec, INVAR_CUDSS_STAND_IN, {"--set", "solver.linear=cudss"});
  expect_same(device, host);
  expect_same(named, host);
  EXPECT_NE(device.end.out.find("linear systems are solved on the processor: constraints between unknowns"), std::string::npos) << device.end.out;
}

// The spec 22 with fewer cells, by no assembled matrix on either side: two steps of the search, derivatives along directions of the first.
TEST(DeviceRun, DensitiesAreThoseOfTheProcessor) {
  std::string spec = content(fs::path(INVAR_SOURCE_DIR) / "configs/22_cantilever_3d.yaml");
  spec.erase(spec.find("verify:"));
  spec.replace(spec.find("[128, 64, 64]"), 13, "[8, 4, 4]");
  spec.replace(spec.find("radius: 0.08"), 12, "radius: 0.3");
  spec.replace(spec.find("iterations: 60"), 14, "iterations: 2");
  std::map<std::string, nlohmann::json> results, certificate, design;
  for (const std::string where : {"none", "emulation"}) {
    const Workplace here;
    here.write("spec.yaml", spec + "solver: {linear: cg_lattice, linear_rtol: 1e-12, device: " + where + "}\n");
    const Ended end = here.invar({"run", "spec.yaml"});
    ASSERT_EQ(end.code, 0) << end.said();
    results[where] = json_of(here.run_folder() / "results.json");
    certificate[where] = json_of(here.run_folder() / "certificate.json");
    design[where] = json_of(here.run_folder() / "design.json");
  }
  const double J = results["none"]["objective"].get<double>();
  EXPECT_NEAR(results["emulation"]["objective"].get<double>(), J, 1e-9 * J);
  expect_exact_adjoint(certificate["emulation"]);
  const nlohmann::json &on_host = certificate["none"]["entries"], &on_device = certificate["emulation"]["entries"];
  ASSERT_EQ(on_device.size(), on_host.size());
  for (std::size_t k = 0; k < on_host.size(); ++k) {
    const double expected = on_host[k]["adjoint"].get<double>();
    EXPECT_NEAR(on_device[k]["adjoint"].get<double>(), expected, 1e-9 * std::abs(expected)) << k;
  }
  const auto expected = numbers_in(design["none"]), found = numbers_in(design["emulation"]);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-9) << k;
}

Ended ended(const std::string& spec, const std::vector<std::string>& options = {}, int ranks = 1) {
  const Workplace here;
  here.write("spec.yaml", spec);
  std::vector<std::string> arguments{"run", "spec.yaml"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return here.invar(arguments, ranks);
}

TEST(DeviceRun, WhatNoDeviceCanDoIsNamed) {
  const Ended law = ended(on("emulation", beam({{"model: neo_hookean, young: 100, poisson: 0.3", "model: yeoh, c1: 10, c2: 1, c3: 1, bulk: 100"}, {"young, start: 80", "c1, start: 8"}})));
  EXPECT_EQ(law.code, 3) << law.said();
  EXPECT_NE(law.err.find("there are no device kernels for material 'rubber'"), std::string::npos) << law.said();
  const Ended ranks = ended(on("emulation", bent_bar), {}, 2);
  EXPECT_EQ(ranks.code, 3) << ranks.said();
  EXPECT_NE(ranks.err.find("a device supports one process, and there are 2"), std::string::npos) << ranks.said();
}

TEST(DeviceRun, ARunThatGoesOnElsewhereSaysSo) {
  const Workplace here;
  std::string spec = bent_bar;
  spec.replace(spec.find("max_iterations: 0"), 17, "max_iterations: 1");
  spec.replace(spec.find("order: 2"), 8, "order: 1");
  here.write("spec.yaml", on("emulation", spec));
  here.invar({"run", "spec.yaml", "--out", "run"});
  const Ended same = here.invar({"resume", "run", "--set", "optimizer.max_iterations=2"});
  EXPECT_EQ(same.said().find("the last digits differ"), std::string::npos) << same.said();
  nlohmann::json record = json_of(here.folder() / "run/run.json");
  record["device"] = "NVIDIA H100 80GB HBM3, driver for CUDA 13.0, CUDA 13.0";
  here.write("run/run.json", record.dump());
  const Ended other = here.invar({"resume", "run", "--set", "optimizer.max_iterations=3"});
  EXPECT_NE(other.said().find("the run began on NVIDIA H100 80GB HBM3, driver for CUDA 13.0, CUDA 13.0, and this is emulation on the host: the last digits differ"),
            std::string::npos) << other.said();
  EXPECT_EQ(json_of(here.folder() / "run/run.json")["device"], "emulation on the host");
}

TEST(DeviceRun, WithoutADeviceTheRunEndsWithOneLineAndThePlace) {
  const Ended end = ended(on("cuda", bent_bar));
  if (end.code == 0) GTEST_SKIP() << "there is a device";
  EXPECT_EQ(end.code, 4) << end.said();
  const auto line = 1 + std::ranges::count(std::string(bent_bar), '\n');
  EXPECT_NE(end.err.find("spec.yaml:" + std::to_string(line)), std::string::npos) << end.said();
  EXPECT_NE(end.err.find("'device: cuda'"), std::string::npos) << end.said();
  EXPECT_EQ(end.said().find("bug"), std::string::npos) << end.said();
}

TEST(DeviceRun, MemoryOfADeviceNeedsADevice) {
  const std::vector<std::string> five{"--set", "time.device_memory=5"};
  const Ended none = ended(on("none", swinging_strip), five);
  EXPECT_EQ(none.code, 3) << none.said();
  EXPECT_NE(none.err.find("'device_memory' is of a device, and there is none"), std::string::npos) << none.said();
  const Ended small = ended(on("auto", swinging_strip), five);
  EXPECT_EQ(small.code, 0) << small.said();
  EXPECT_NE(small.out.find("'device_memory' has no effect: no device is used: devices are used from 100000 unknowns on"), std::string::npos) << small.said();
}

TEST(DeviceRun, AutoSaysWhyThereIsNone) {
  const Ended end = ended(on("auto", bent_bar), {"-v"});
  EXPECT_EQ(end.code, 0) << end.said();
  EXPECT_NE(end.out.find("no device is used: devices are used from 100000 unknowns on"), std::string::npos) << end.said();
}

}  // namespace
}  // namespace invar::test
