// Loads past their limit: an inflated ball against its closed form, by every control; what is said of mistakes and of
// loads that are given and too large.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/program.hpp"
#include "tests/unit/app/refused.hpp"

namespace invar::test {
namespace {

/// P/μ of an incompressible neo-Hookean ball, outer radius twice the inner one, whose inner radius is stretched to λ
/// times its length: the radial balance ∫ (σ_θ − σ_r) 2 dr/r with σ_θ − σ_r = μ (λ² − λ⁻⁴) gives 2/λ + 1/(2 λ⁴) between
/// both faces.
double closed_form(double inner) {
  const auto face = [](double l) { return 2 / l + 0.5 / std::pow(l, 4); };
  return face(std::cbrt(1 + (std::pow(inner, 3) - 1) / 8)) - face(inner);
}

/// The same by quadrature, of the balance itself.
double by_quadrature(double inner) {
  constexpr int n = 2000;
  const auto integrand = [&](double R) {
    const double r = std::cbrt(R * R * R - 1 + std::pow(inner, 3)), l = r / R;
    return 2 * (l * l - std::pow(l, -4)) / r * (R * R / (r * r));  // dr = R²/r² dR
  };
  double sum = integrand(1) + integrand(2);
  for (int k = 1; k < n; ++k) sum += (k % 2 ? 4 : 2) * integrand(1 + double(k) / n);
  return sum / (3.0 * n);
}

std::string ball(const std::string& time, const std::string& quantities = "") {
  return "title: a ball\nmesh: {file: " + std::string(INVAR_SOURCE_DIR) + R"(/meshes/shell.msh.gz}
physics: {type: solid, kind: axisymmetric, formulation: mixed}
materials:
  rubber: {model: neo_hookean_isochoric, incompressible: true, mu: 3}
boundary:
  axis: {u_x: 0}
  equator: {u_y: 0}
loads:
  inner: {type: pressure, region: inner, p: 4}
time: )" + time + R"(
output:
  fields: none
  quantities:
    lift: {type: point, point: [0, 1], component: u_y}
    width: {type: point, point: [1, 0], component: u_x}
    volume: {type: enclosed_volume, region: inner}
)" + quantities;
}

const std::string pressure = "    P: {type: load, variable: loads.inner.p}\n    most: {type: load, variable: loads.inner.p, statistic: max}\n";

/// The second column of a curve.
std::vector<double> curve(const Workplace& here, const std::string& name) {
  std::istringstream lines(content(here.run_folder() / ("curves/" + name + ".csv")));
  std::vector<double> values;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) values.push_back(std::stod(line.substr(line.find(',') + 1)));
  return values;
}

TEST(PathRun, ABallFollowsItsClosedFormPastTheLimitOfThePressure) {
  EXPECT_NEAR(closed_form(2), 0.806927, 5e-7);  // λ: stretch of the inner radius
  EXPECT_NEAR(closed_form(2), by_quadrature(2), 1e-10);
  EXPECT_LT(closed_form(2.1), closed_form(2));  // on the falling branch
  const double v = 2 * M_PI / 3;
  const std::vector<std::pair<std::string, std::size_t>> controls{
      {"{control: {type: point, point: [0, 1], component: u_y}, values: [0.2, 0.5, 0.8, 1]}", 4},
      {"{control: {type: enclosed_volume, region: inner}, values: [" + std::to_string(2 * v) + ", " + std::to_string(5 * v) + ", " + std::to_string(8 * v) + "]}", 3},
      {"{control: {type: mean_displacement, region: inner, component: y}, steps: 4, end: 0.5}", 4},
      {"{control: arc_length, steps: 8, end: 0.8}", 8}};
  for (const auto& [time, points] : controls)
    for (const int ranks : {1, 2}) {
      // The enclosed volume and the arc length are sums over ranks.
      if (ranks > 1 && time.find("volume") == std::string::npos && time.find("arc") == std::string::npos) continue;
      SCOPED_TRACE(time);
      const Workplace here;
      here.write("spec.yaml", ball(time, pressure));
      const Ended end = here.invar({"run", "spec.yaml"}, ranks);
      ASSERT_EQ(end.code, 0) << end.said();
      const std::vector<double> lift = curve(here, "lift"), width = curve(here, "width"), found = curve(here, "P"), volume = curve(here, "volume");
      ASSERT_EQ(found.size(), points);
      double most = 0;
      for (std::size_t k = 0; k < points; ++k) {
        const double stretch = 1 + lift[k];
        EXPECT_NEAR(found[k] / 3, closed_form(stretch), 4e-5 * closed_form(stretch)) << stretch;
        EXPECT_NEAR(width[k], lift[k], 1e-3 * lift[k]);
        EXPECT_NEAR(volume[k], v * std::pow(stretch, 3), 3e-4 * volume[k]);
        most = std::max(most, found[k]);
      }
      EXPECT_LT(found.back(), most);
      const double last = json_of(here.run_folder() / "results.json")["quantities"]["most"];
      EXPECT_GE(last, most * (1 - 1e-12));
    }
}

TEST(PathRun, APressureThatIsGivenAndTooLargeIsSaidSoon) {
  const double limit = 3 * 0.816424 / 4;  // of t: p grows to 4
  for (const char* steps : {"1", "10"}) {
    const Workplace here;
    here.write("spec.yaml", ball(std::string("{steps: ") + steps + "}"));
    const Ended end = here.invar({"run", "spec.yaml"});
    EXPECT_EQ(end.code, 4) << end.said();
    const std::string words = "the load has a limit at t = ", said = end.said();
    const std::size_t at = said.find(words);
    ASSERT_NE(at, std::string::npos) << said;
    EXPECT_NEAR(std::stod(said.substr(at + words.size())), limit, 0.002 * limit) << said;
    EXPECT_NE(said.find("region 'inner'"), std::string::npos) << said;
  }
}

TEST(PathRun, WhatIsWrongIsSaidWhereItIs) {
  const std::string point = "{type: point, point: [0, 1], component: u_y}";
  const auto controlled = [&](const std::string& rest) { return ball("{control: " + point + rest + "}"); };
  expect_refused(ball("{steps: 2}", "    P: {type: load, variable: loads.inner.p}\n"), {"spec.yaml:18", "all loads are given", "control"});
  expect_refused(controlled(", scaled: [loads.iner.p]"), {"spec.yaml:11", "loads.iner.p", "did you mean", "loads.inner.p"});
  expect_refused(controlled(", scaled: [loads.inner.p, loads.inner.p]"), {"twice"});
  expect_refused(controlled(", scheme: bdf2, step: 0.1, inertia: false"), {"static processes", "scheme"});
  expect_refused(ball("{control: {type: enclosed_volume, region: inner}, steps: 3, end: 4}"), {"'start' is missing", "enclosed_volume"});
  expect_refused(ball("{control: arc_length, values: [0.2, 0.1]}"), {"increases from its start", "0.1 follows 0.2"});
  expect_refused(ball("{scaled: [loads.inner.p]}"), {"'scaled'", "control"});
  expect_refused(ball("{control: arc_length}", "    P: {type: load, variable: loads.outer.p}\n"), {"loads.outer.p", "loads.inner.p"});
  expect_refused(ball("{control: arc_length}") + "solver: {linear: cg_jacobi}\n", {"cg_jacobi", "mumps"});
  expect_refused(ball("{control: {type: point, point: [0, 7], component: u_y}}"), {"outside the mesh"});
  expect_refused(ball("{control: arc_length}") + "design:\n  - {variable: loads.inner.p}\nobjective:\n  - {type: stored_energy}\n",
                 {"is the unknown of the path and cannot be designed"});
  std::string formula = ball("{control: arc_length}");
  const std::size_t at = formula.find("p: 4}");
  formula.replace(at, 5, "p: \"2*y\"}");
  expect_refused(formula, {"no load whose factor can be the unknown", "'factor'"});
  formula.replace(formula.find("{control: arc_length}"), 21, "{control: arc_length, scaled: [loads.inner.factor], end: 0.1}");
  const Workplace here;
  here.write("spec.yaml", formula);
  const Ended end = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

TEST(PathRun, LoadsThatAreNotScaledActFromTheStart) {
  // Two pressures that lift each other on a wall of rubber: outside 0.3 is given, inside is found; incompressible
  // bodies feel the difference only.
  std::string spec = ball("{control: {type: point, point: [0, 1], component: u_y}, values: [0.5, 1], scaled: [loads.inner.p]}", pressure);
  spec.replace(spec.find("time:"), 0, "  outer: {type: pressure, region: outer, p: 0.3}\n");
  const Workplace here;
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(end.code, 0) << end.said();
  EXPECT_NEAR(json_of(here.run_folder() / "results.json")["quantities"]["P"].get<double>() - 0.3, 3 * closed_form(2), 3e-4);
}

// resolved.yaml spells out the defaults of `time` that belong to processes in time.
/// A strip that is pulled to given lengths; `aimed` is the statistic of the tip's height and what it is compared with.
std::string pulled_strip(const std::string& aimed, const std::string& method = "auto") {
  return R"(title: a strip
mesh: {rectangle: {to: [1, 0.2], cells: [4, 1]}}
physics: {type: solid, kind: plane_stress}
materials:
  strip: {model: neo_hookean, young: 1, poisson: 0.3}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  tip: {type: traction, region: right, x: 0.1, y: 0.01}
time: {control: {type: point, point: [1, 0.1], component: u_x}, end: 0.3, steps: 6}
design:
  - {variable: materials.strip.poisson}
  - {variable: loads.tip.y}
objective:
  - {type: point, point: [1, 0.1], component: u_y, )" + aimed + "}\noptimizer: {method: " + method + "}\n";
}

// A statistic that is compared with a measured value has no second derivatives: none are used, and nothing else is said of them.
TEST(PathRun, StatisticsHaveFirstDerivativesOnly) {
  for (const char* aimed : {"statistic: rms, target: 0.1, noise: 1e-3", "statistic: max"}) {
    const Workplace here;
    here.write("spec.yaml", pulled_strip(aimed));
    const Ended end = here.invar({"check", "spec.yaml"});
    EXPECT_EQ(end.code, 0) << end.said();
    EXPECT_EQ(end.out.find("hessian"), std::string::npos) << end.out;
    here.write("spec.yaml", pulled_strip(aimed, "newton_cg"));
    EXPECT_NE(here.invar({"validate", "spec.yaml"}).said().find("newton_cg needs second derivatives, and statistics over the points of a path have none"), std::string::npos);
  }
  const Workplace here;
  here.write("spec.yaml", pulled_strip("statistic: rms"));
  EXPECT_NE(here.invar({"check", "spec.yaml"}).out.find("hessian"), std::string::npos);
}

TEST(PathRun, GoesOnFromItsFolder) {
  const std::string spec = ball("{control: {type: point, point: [0, 1], component: u_y}, values: [0.5, 1]}", pressure) +
                           "design:\n  - {variable: materials.rubber.mu, scale: log}\nobjective:\n"
                           "  - {type: load, variable: loads.inner.p, target: 0.806927, noise: 0.001}\noptimizer: {max_iterations: 1}\n";
  const Workplace here;
  here.write("spec.yaml", spec);
  const Ended begun = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(begun.code, 5) << begun.said();
  const Ended end = here.invar({"resume", "results/spec", "--set", "optimizer.max_iterations=100"});
  ASSERT_EQ(end.code, 0) << end.said();
  EXPECT_NEAR(json_of(here.run_folder() / "results.json")["fit"]["materials.rubber.mu"]["value"], 1, 1e-4);
}

}  // namespace
}  // namespace invar::test
