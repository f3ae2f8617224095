// Initial velocities of flows that are designed as fields, from the spec to the results.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

/// A vortex in a square box of symmetry, seen at one later time without noise.
constexpr const char* vortex_spec = R"spec(title: a vortex
mesh: {rectangle: {to: [1, 1], cells: [6, 6]}}
physics: {type: flow, kind: planar}
materials:
  water: {model: newtonian, density: 1, viscosity: 0.01}
boundary:
  left: {u_x: 0}
  right: {u_x: 0}
  bottom: {u_y: 0}
  top: {u_y: 0}
  left_bottom: {p: 0}
time: {scheme: bdf2, convection: linearised, end: 0.1, step: 0.05}
design:
  - {kind: initial_field, smoothing: 0.3}
objective:
  - {type: markers, file: seen.csv, noise: 0.02}
  - {type: field_size, weight: 3}
optimizer: {max_iterations: 30, gradient_tolerance: 1e-4}
output:
  fields: none
  quantities:
    error: {type: field_error, at: 0, u_x: "sin(pi*x)*cos(pi*y)", u_y: "-cos(pi*x)*sin(pi*y)"}
    rough: {type: roughness, variable: initial.velocity}
    energy: {type: kinetic_energy, at: 0}
)spec";

std::string vortex(const Edits& edits = {}) {
  std::string spec = vortex_spec;
  for (const auto& [from, to] : edits) {
    const std::size_t at = spec.find(from);
    if (at == std::string::npos) throw std::logic_error("the vortex has no '" + from + "'");
    spec.replace(at, from.size(), to);
  }
  return spec;
}

/// What the decaying vortex is like at 0.1 s on a grid.
std::string seen() {
  constexpr double pi = 3.14159265358979;
  const double amplitude = std::exp(-2 * 0.01 * pi * pi * 0.1);
  std::string csv = "x,y,u_x,u_y\n";
  for (double x = 0.1; x < 1; x += 0.2)
    for (double y = 0.1; y < 1; y += 0.2)
      csv += std::to_string(x) + "," + std::to_string(y) + "," +
             std::to_string(amplitude * std::sin(pi * x) * std::cos(pi * y)) + "," +
             std::to_string(-amplitude * std::cos(pi * x) * std::sin(pi * y)) + "\n";
  return csv;
}

Ended run_of(const Workplace& here, const std::string& verb, const std::string& spec, int ranks = 1) {
  here.write("spec.yaml", spec);
  here.write("seen.csv", seen());
  here.write("markers.csv", beam_markers);
  return here.invar({verb, "spec.yaml"}, ranks);
}

void expect_one_mistake(const std::string& spec, const std::vector<std::string>& words) {
  const Workplace here;
  const Ended end = run_of(here, "run", spec);
  SCOPED_TRACE(end.said());
  EXPECT_EQ(end.code, 3);
  EXPECT_TRUE(end.err.ends_with("\n1 mistake\n"));
  for (const std::string& word : words) EXPECT_NE(end.err.find(word), std::string::npos) << "no '" << word << "'";
}

TEST(InitialFieldRun, FindsTheBeginning) {
  const Workplace one, two;
  const Ended a = run_of(one, "run", vortex()), b = run_of(two, "run", vortex(), 2);
  ASSERT_EQ(a.code, 0) << a.said();
  ASSERT_EQ(b.code, 0) << b.said();
  const nlohmann::json x = json_of(one.run_folder() / "results.json"), y = json_of(two.run_folder() / "results.json");
  const nlohmann::json &q = x["quantities"], &r = y["quantities"];
  // ∫ |û|² = 1/2, so ½ρ ∫ |u|² = 1/4 and ½ ∫ |∇u|² = π²/2.
  EXPECT_LT(q["error"], 0.02);
  EXPECT_NEAR(q["energy"], 0.25, 0.01);
  EXPECT_NEAR(q["rough"], 4.93, 0.15);
  EXPECT_NEAR(x["objective"], y["objective"], 1e-3 * x["objective"].get<double>());
  EXPECT_NEAR(q["energy"], r["energy"], 1e-3);
}

TEST(InitialFieldRun, CertificatePasses) {
  const Workplace here;
  const Ended end = run_of(here, "check", vortex({{"design:", "design:\n  - {variable: materials.water.viscosity, scale: log}"}}));
  EXPECT_EQ(end.code, 0) << end.said();
}

// The field takes the values of the wall that moves, wherever the design puts it: the entries of 'design' in any order.
TEST(InitialFieldRun, GoesTogetherWithShapeAndBoundary) {
  const std::string both = "design:\n  - {kind: initial_field, smoothing: 0.3}\n  - {variable: boundary.top.u_x, lower: 0.1, upper: 0.4}\n"
                           "  - {kind: ffd, region: top, from: [-0.1, 0.7], to: [1.1, 1.2], points: [3, 3], moves: [y], scale: 0.05}\n";
  const Workplace here;
  const Ended end = run_of(here, "check", vortex({{"top: {u_y: 0}", "top: {u_x: 0.2, u_y: 0}"},
                                                  {"design:\n  - {kind: initial_field, smoothing: 0.3}\n", both}}));
  EXPECT_EQ(end.code, 0) << end.said();
}

TEST(InitialFieldRun, MistakesAreToldWithTheirPlace) {
  expect_one_mistake(beam({{"design:", "design:\n  - {kind: initial_field}"}}),
                 {"spec.yaml:11:5: error: an initial field is the initial velocity of a 'flow', and case 'case' has another physics",
                  "design the numbers of 'initial'"});
  expect_one_mistake(vortex({{"time: {scheme: bdf2, convection: linearised, end: 0.1, step: 0.05}\n", ""},
                         {"at: 0, ", ""}, {", at: 0}", "}"}}),
                 {"spec.yaml:13:5: error: only processes in time have an initial field, and case 'case' is none", "give 'time' a 'scheme'"});
  expect_one_mistake(vortex({{"smoothing: 0.3", "region: bodi"}}), {"spec.yaml:14:35: error: the mesh has no cell region 'bodi'; did you mean 'body'?"});
  expect_one_mistake(vortex({{"smoothing: 0.3", "region: left"}}), {"the mesh has no cell region 'left'", "its cell regions: body"});
  expect_one_mistake(vortex({{"smoothing: 0.3", "smoothing: -0.3"}}), {"spec.yaml:14:38: error: ", "expected a number >= 0"});
  expect_one_mistake(vortex({{"smoothing: 0.3", "case: other"}, {"  - {type: field_size, weight: 3}\n", ""},
                         {"    rough: {type: roughness, variable: initial.velocity}\n", ""}}),
                 {"spec.yaml:14:33: error: there is no case 'other'"});
  expect_one_mistake(vortex({{"  - {kind: initial_field", "  - {kind: initial_field}\n  - {kind: initial_field"}}),
                 {"spec.yaml:15:5: error: the initial field of case 'case' is listed twice"});
  expect_one_mistake(vortex({{"design:", "loads:\n  wall: {type: slip, region: left, penalty: 1}\ndesign:"}}),
                 {"an initial field satisfies velocities prescribed in 'boundary', but not the penalty of 'wall'"});
  expect_one_mistake(vortex({{"kind: initial_field, smoothing: 0.3", "variable: materials.water.viscosity"},
                         {"type: field_size", "type: roughness, variable: initial.velocity"},
                         {"    rough: {type: roughness, variable: initial.velocity}\n", ""}}),
                 {"spec.yaml:17:33: error: the initial velocity is not designed as a field", "kind: initial_field"});
  expect_one_mistake(vortex({{"at: 0, u_x", "at: 0, u_z: 0, u_x"}}), {"the mesh is two-dimensional; use u_x and u_y"});
}

}  // namespace
}  // namespace invar::test
