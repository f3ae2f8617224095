// Data whose clock started late.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/program.hpp"

namespace invar {
namespace {

/// A strip that is shaken at its clamp.
const std::string strip = R"spec(title: a strip that is shaken
mesh: {rectangle: {to: [2, 0.5], cells: [8, 2]}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: neo_hookean, young: 100, poisson: 0.3, density: 1, mass_damping: 0.3}
boundary:
  left: {u_x: 0, u_y: "0.1*sin(2*t)*t^2/(1 + t^2)"}
)spec";

std::string fit(double shift, double young, int steps = 160) {
  return strip + "time: {scheme: newmark, end: 8, steps: " + std::to_string(steps) + ", data_shift: " + std::to_string(shift) + "}\n" + R"spec(
design:
  - {kind: number, variable: time.data_shift, lower: 0, upper: 1.5}
  - {kind: number, variable: materials.rubber.young, scale: log, start: )spec" + std::to_string(young) + R"spec(}
objective:
  - {type: point, point: [2, 0.25], component: u_y, file: measured.csv, t: t, value: y, noise: 1e-3}
)spec";
}

/// The motion as another clock has it, which started 0.73 s late.
void measure(const test::Workplace& here) {
  std::string rows = "t,y\n";
  here.write("spec.yaml", strip + "time: {scheme: newmark, end: 8, steps: 320}\noutput:\n  quantities:\n    tip: {type: point, point: [2, 0.25], component: u_y}\n");
  ASSERT_EQ(here.invar({"run", "spec.yaml"}).code, 0);
  std::istringstream curve(test::content(here.run_folder() / "curves/tip.csv"));
  std::string line;
  std::vector<double> t, y;
  for (std::getline(curve, line); std::getline(curve, line);) {
    t.push_back(std::stod(line));
    y.push_back(std::stod(line.substr(line.find(',') + 1)));
  }
  for (double at = 1; at < 7; at += 0.217) {  // linear between steps of 0.025 s: 1e-4 of the motion
    const std::size_t k = static_cast<std::size_t>(at / 0.025);
    const double w = (at - t[k]) / (t[k + 1] - t[k]);
    rows += std::to_string(at - 0.73) + "," + std::to_string((1 - w) * y[k] + w * y[k + 1]) + "\n";
  }
  here.write("measured.csv", rows);
}

TEST(DataShift, ClockAndStiffnessAreFoundTogether) {
  const test::Workplace here;
  measure(here);
  here.write("spec.yaml", fit(0.5, 110));
  const test::Ended end = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(end.code, 0) << end.said();
  const nlohmann::json found = test::json_of(here.run_folder() / "results.json")["fit"];
  EXPECT_NEAR(found["time.data_shift"]["value"].get<double>(), 0.73, 3e-3) << found;
  EXPECT_NEAR(found["materials.rubber.young"]["value"].get<double>(), 100, 0.5) << found;
}

TEST(DataShift, DerivativesAreExact) {
  const test::Workplace here;
  measure(here);
  here.write("spec.yaml", fit(0.6137, 97, 40));
  const test::Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  EXPECT_NE(end.said().find("checks passed"), std::string::npos) << end.said();
  EXPECT_EQ(end.said().find("cannot tell"), std::string::npos) << end.said();
  std::vector<nlohmann::json> by_ranks;
  for (const int ranks : {1, 2}) {
    const std::string out = "ranks_" + std::to_string(ranks);
    ASSERT_EQ(here.invar({"gradient", "spec.yaml", "--out", out}, ranks).code, 0);
    by_ranks.push_back(test::json_of(here.folder() / out / "gradient.json")["variables"]);
  }
  for (const auto& [name, one] : by_ranks[0].items()) {
    const double alone = one["derivative"], together = by_ranks[1][name]["derivative"];
    EXPECT_NEAR(together, alone, 1e-8 * std::abs(alone)) << name;
  }
}

TEST(DataShift, DataThatLeaveTheProcessAreNoPoint) {
  const test::Workplace here;
  measure(here);
  here.write("spec.yaml", fit(2.5, 100));
  const test::Ended end = here.invar({"run", "spec.yaml", "--set", "design[0].upper=3"});
  EXPECT_EQ(end.code, 4) << end.said();
  EXPECT_NE(end.said().find("its data, shifted, leave the time of the process"), std::string::npos) << end.said();
}

}  // namespace
}  // namespace invar
