#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/channel.hpp"
#include "tests/unit/app/refused.hpp"

namespace invar::test {
namespace {

const char* beam_number = "{variable: materials.rubber.young, start: 80, lower: 10, upper: 1000}";

/// design.json of a run that only evaluates its start.
nlohmann::json design_at_start(const std::string& spec, int ranks = 1) {
  const Workplace here;
  here.write("spec.yaml", spec);
  here.write("markers.csv", beam_markers);
  const Ended end = here.invar({"run", "spec.yaml", "-q", "--set", "optimizer.max_iterations=0"}, ranks);
  EXPECT_EQ(end.code, 0) << end.said();
  return end.code == 0 ? json_of(here.run_folder() / "design.json") : nlohmann::json();
}

void expect_values(const nlohmann::json& field, const std::vector<double>& wanted) {
  ASSERT_EQ(field["values"].size(), wanted.size()) << field;
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(field["values"][i].get<double>(), wanted[i], 1e-12 * (1 + std::abs(wanted[i])));
}

/// At the middles of cells, whatever the number of ranks.
TEST(DesignStart, FormulasOfFields) {
  const std::string moduli = beam({{beam_number, "{kind: field, variable: materials.rubber.young, radius: 0.6, start: 50 + 100*x}"}});
  for (const int ranks : {1, 2}) expect_values(design_at_start(moduli, ranks)["fields"]["materials.rubber.young"], {62.5, 87.5, 112.5, 137.5});
  const std::string density = channel({{"viscosity: 0.5}", "viscosity: 0.5}\ndesign:\n  - {kind: density, radius: 1.2, max_resistance: 10, start: \"x < 1 ? 0.25 : y\"}\n"
                                                           "objective:\n  - {type: dissipation}"}});
  expect_values(design_at_start(density)["fields"]["density"], {0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.75, 0.75});
}

TEST(DesignStart, ShapesAndSignals) {
  const std::string objective = "objective:\n  - {type: dissipation}\n";
  const nlohmann::json free = design_at_start(
      channel() + "design:\n  - {kind: free_boundary, region: bottom, smoothing: 0.5, start: 0.01*x}\n" + objective);
  std::vector<double> field = free["fields"]["free_boundary"]["values"];
  std::sort(field.begin(), field.end());
  ASSERT_EQ(field.size(), 9u);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(field[i], 0.0025 * i, 1e-15);
  const nlohmann::json ffd = design_at_start(
      channel() + "design:\n  - {kind: ffd, region: bottom, from: [-1, -0.5], to: [3, 0.5], points: [3, 2], moves: [y], start: [0, 0.01, 0, 0, 0.02, 0]}\n" + objective);
  std::vector<double> given;
  for (const auto& [name, value] : ffd["numbers"].items()) given.push_back(value);
  EXPECT_EQ(given, (std::vector<double>{0, 0.01, 0, 0, 0.02, 0}));
  const nlohmann::json signal = design_at_start(
      beam({{"poisson: 0.3}", "poisson: 0.3, density: 1}"}, {"design:\n", "time: {scheme: newmark, end: 1, steps: 4}\ndesign:\n"},
            {beam_number, "{kind: signal, variable: loads.tip.y, basis: linear, functions: 3, start: [0, 0.1, 0.05]}"}}));
  EXPECT_EQ(signal["numbers"]["loads.tip.y[1]"], 0.1);
  EXPECT_EQ(signal["numbers"]["loads.tip.y[2]"], 0.05);
}

/// A run starts from the result of another one: its initial objective is the final one of the other.
TEST(DesignStart, FromAnEarlierRun) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", beam({{beam_number, "{kind: field, variable: materials.rubber.young, radius: 0.6, lower: 60}\n  - {variable: loads.tip.y, lower: 0}"}}) +
                              "optimizer: {max_iterations: 3}\n");
  const Ended first = here.invar({"run", "spec.yaml", "-q", "--out", "first"});
  EXPECT_TRUE(first.code == 0 || first.code == 5) << first.said();
  const double reached = json_of(here.folder() / "first/results.json")["objective"];
  for (const int ranks : {1, 2}) {
    const Ended again = here.invar({"run", "spec.yaml", "-q", "--out", "again", "--set", "optimizer.max_iterations=0",
                                    "--set", "optimizer.start.from=first", "--set", "materials.rubber.young=90"}, ranks);
    EXPECT_EQ(again.code, 0) << again.said();
    EXPECT_NEAR(json_of(here.folder() / "again/results.json")["objective"].get<double>(), reached, 1e-9 * reached);
  }
  const Ended over = here.invar({"run", "spec.yaml", "--out", "first", "--set", "optimizer.start.from=first"});
  EXPECT_NE(over.code, 0) << "a run must not remove what it begins with";
  EXPECT_TRUE(fs::exists(here.folder() / "first/design.json"));
  const Ended other = here.invar({"validate", "spec.yaml", "--set", "optimizer.start.from=first", "--set", "mesh.rectangle.cells=[5, 1]"});
  EXPECT_EQ(other.code, 3);
  EXPECT_NE(other.err.find("the run designed 'materials.rubber.young' on another mesh or another region"), std::string::npos) << other.err;
  const Ended missing = here.invar({"validate", "spec.yaml", "--set", "optimizer.start.from=none"});
  EXPECT_EQ(missing.code, 3);
  EXPECT_NE(missing.err.find("is not the design of an earlier run"), std::string::npos) << missing.err;
}

TEST(DesignStart, Mistakes) {
  const auto field = [](const std::string& start) {
    return beam({{beam_number, "{kind: field, variable: materials.rubber.young, radius: 0.6, lower: 60, start: " + start + "}"}});
  };
  expect_refused(field("50 + 100*x - 20"), {"spec.yaml:11:84: error: the start 42.5 at (0.125, 0.125, 0) is outside the bounds [60, .inf]"});
  expect_refused(field("50 + 100*w"), {"spec.yaml:11:84: error: "});
  expect_refused(field("10 - 100*x"), {"spec.yaml:11:84: error: a variable with scaling 'log' must be positive"});
  expect_refused(channel() + "design:\n  - {kind: ffd, region: bottom, from: [-1, -0.5], to: [3, 0.5], points: [3, 2], moves: [y], start: [0, 0.01]}\n"
                             "objective:\n  - {type: dissipation}\n",
                 {"there are 6 initial values, and the list has 2"});
}

}  // namespace
}  // namespace invar::test
