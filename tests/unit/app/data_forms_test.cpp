// Forms of measured data: rows in any order, at rest, in tension and compression, markers at several times.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/program.hpp"

namespace invar {
namespace {

/// A bar of 2 m x 0.5 m in plane stress, pulled by 0.02 m at t = 1: F = E · 0.01 t · 0.5.
const std::string bar = R"spec(title: a bar
mesh: {rectangle: {to: [2, 0.5], cells: [4, 2]}}
physics: {type: solid, kind: plane_stress}
materials:
  steel: {model: linear_elastic, young: 70, poisson: 0.3}
boundary:
  left: {u_x: 0}
  bottom: {u_y: 0}
  right: {u_x: 0.02}
design:
  - {kind: number, variable: materials.steel.young}
objective:
)spec";

// Also with rows that have no value, and a column that has hardly any.
TEST(DataForms, TensionCompressionAndRestInOneFile) {
  const test::Workplace here;
  here.write("curve.csv", "t,force,remark\n0.5,0.25,\n-1,-0.5,\n0.75,,7\n0,0,\n1,0.5,\n0.8,nan,\n-0.25,-0.125,\n");
  here.write("spec.yaml", bar + "  - {type: reaction, region: right, direction: [1, 0], file: curve.csv, noise: 1e-3}\n");
  const test::Ended end = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(end.code, 0) << end.said();
  EXPECT_NE(end.said().find("reaction: 2 of 7 rows have no value and are left out"), std::string::npos) << end.said();
  const nlohmann::json results = test::json_of(here.run_folder() / "results.json");
  EXPECT_NEAR(results["fit"]["materials.steel.young"]["value"].get<double>(), 100, 1e-6);
  EXPECT_EQ(results["cases"]["case"]["steps"], 5);
  const std::string curve = test::content(here.run_folder() / "curves/reaction.csv");
  EXPECT_NE(curve.find("\n-0.25,-0.125,-0.12499"), std::string::npos) << curve;
}

/// The model is F = θ t: what the other rows say of the fifth follows from formulas of a line through the origin.
TEST(DataForms, AnOutlierIsNamedWhereTheNoiseIsEstimated) {
  const test::Workplace here;
  std::vector<double> t, force;
  std::string rows = "t,force\n";
  for (int k = 1; k <= 10; ++k) {
    t.push_back(0.1 * k);
    force.push_back(std::round(1e6 * (0.05 * k + 2e-4 * std::sin(7.0 * k) + (k == 5 ? 0.002 : 0))) / 1e6);
    rows += std::to_string(t.back()) + "," + std::to_string(force.back()) + "\n";
  }
  here.write("curve.csv", rows);
  std::string spec = bar + "  - {type: reaction, region: right, direction: [1, 0], file: curve.csv}\n";
  here.write("spec.yaml", spec);
  const test::Ended end = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(end.code, 0) << end.said();
  EXPECT_NE(end.said().find("reaction: 1 of 10 values deviate by more than 3.8 standard deviations (estimated from the other values): row 5 by -"), std::string::npos) << end.said();
  double tt = 0, tf = 0, misfit = 0;
  for (int k = 0; k < 10; ++k)
    if (k != 4) tt += t[k] * t[k], tf += t[k] * force[k];
  for (int k = 0; k < 10; ++k)
    if (k != 4) misfit += std::pow(force[k] - tf / tt * t[k], 2);
  const double expected = (tf / tt * t[4] - force[4]) / std::sqrt(misfit / 8 * (1 + t[4] * t[4] / tt));
  const nlohmann::json outliers = test::json_of(here.run_folder() / "results.json")["outliers"]["reaction"];
  EXPECT_EQ(outliers["farthest"][0]["row"], 5);
  EXPECT_NEAR(outliers["farthest"][0]["deviations"].get<double>() / expected, 1, 1e-5);

  // The force is that of the product of modulus and displacement.
  spec.replace(spec.find("objective:"), 10, "  - {variable: boundary.right.u_x}\nobjective:");
  here.write("spec.yaml", spec);
  const std::string said = here.invar({"run", "spec.yaml"}).said();
  EXPECT_NE(said.find("no correlations: 'materials.steel.young', 'boundary.right.u_x' cannot be separated by these data"), std::string::npos) << said;
  EXPECT_EQ(said.find(" nan"), std::string::npos) << said;
}

// A body that stiffens differently in tension and compression, against two runs that go one way each.
TEST(DataForms, BothSidesAreWhatEachIsByItself) {
  const auto of = [](const std::string& rows, const std::string& name, const char* pull) {
    const test::Workplace here;
    here.write("curve.csv", "t,force\n" + rows);
    std::string spec = bar + "  - {type: reaction, region: right, direction: [1, 0], file: curve.csv}\noptimizer: {max_iterations: 0}\n"
                             "output:\n  quantities:\n    force: {type: reaction, region: right, direction: [1, 0], at: " + name + "}\n";
    spec.replace(spec.find("linear_elastic"), 14, "neo_hookean");
    spec.replace(spec.find("u_x: 0.02"), 9, pull);
    here.write("spec.yaml", spec);
    const test::Ended end = here.invar({"run", "spec.yaml"});
    EXPECT_EQ(end.code, 0) << end.said();
    return test::json_of(here.run_folder() / "results.json")["quantities"]["force"].get<double>();
  };
  const char *out = "u_x: 0.8", *in = "u_x: -0.8";
  const double squeezed = of("-1,0\n-0.5,0\n0.5,0\n1,0\n", "-1", out), pulled = of("0.5,0\n1,0\n-1,0\n", "1", out);
  EXPECT_NEAR(pulled, of("1,0\n", "1", out), 1e-8);
  EXPECT_NEAR(squeezed, of("1,0\n", "1", in), 1e-8);
  EXPECT_LT(squeezed, -pulled);  // a bar that is squeezed as far resists more
}

TEST(DataForms, MarkersAtSeveralTimes) {
  const test::Workplace here;
  std::string spec = bar + "  - {type: markers, file: markers.csv, noise: 1e-4}\n";
  spec.replace(spec.find("right: {u_x: 0.02}"), 18, "right: {u_x: 0.02}\nloads:\n  side: {type: traction, region: top, x: 3}");
  here.write("exact.yaml", spec.substr(0, spec.find("design:")) + "time: {values: [0.5, 1]}\noutput:\n  quantities:\n"
                               "    a: {type: point, point: [1, 0.25], component: u_x, at: 0.5}\n"
                               "    b: {type: point, point: [1, 0.25], component: u_x, at: 1}\n"
                               "    c: {type: point, point: [1.5, 0.5], component: u_y, at: 1}\n");
  ASSERT_EQ(here.invar({"run", "exact.yaml", "--set", "materials.steel.young=100", "--out", "exact"}).code, 0);
  const nlohmann::json q = test::json_of(here.folder() / "exact/results.json")["quantities"];
  const auto digits = [&](const char* name) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", q[name].get<double>());
    return std::string(text);
  };
  here.write("markers.csv", "t,x,y,u_x\n1,1,0.25," + digits("b") + "\n0.5,1,0.25," + digits("a") + "\n");
  here.write("more.csv", "x,y,t,u_y\n1.5,0.5,1," + digits("c") + "\n");
  here.write("spec.yaml", spec + "  - {type: markers, file: more.csv, noise: 1e-4}\n");
  const test::Ended end = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(end.code, 0) << end.said();
  EXPECT_NEAR(test::json_of(here.run_folder() / "results.json")["fit"]["materials.steel.young"]["value"].get<double>(), 100, 1e-6);

  here.write("spec.yaml", bar + "  - {type: markers, file: markers.csv, at: 1}\n");
  const test::Ended refused = here.invar({"validate", "spec.yaml"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.said().find("column t of the file gives the time of each row"), std::string::npos) << refused.said();
}

}  // namespace
}  // namespace invar
