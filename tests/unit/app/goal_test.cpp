// A target that is not measured has no noise, and numbers fitted to it have no interval.
#include <gtest/gtest.h>

#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

/// A bar in uniform tension, whose end moves by p L / E and whose end facet pulls with p.
std::string bar_with(const std::string& terms) {
  return R"(title: a bar
mesh: {rectangle: {to: [2, 1], cells: [2, 1]}}
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
)" + terms + "output:\n  fields: none\n";
}

constexpr const char* end_of_bar = "  - {name: end, type: point, point: [2, 1], component: u_x, target: 0.03";

TEST(Goal, HasNoInterval) {
  const Workplace here;
  here.write("spec.yaml", bar_with(std::string(end_of_bar) + "}\n" + "  - {name: middle, type: point, point: [1, 1], component: u_x, target: 0.014}\n"));
  const Ended run = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(run.code, 0) << run.said();
  const nlohmann::json results = json_of(here.run_folder() / "results.json");
  EXPECT_FALSE(results.contains("inference")) << results;
  EXPECT_EQ(results["fit"]["loads.pull.x"].size(), 1u) << results["fit"];
  // The least of (0.02 p − 0.03)² + (0.01 p − 0.014)².
  EXPECT_NEAR(results["fit"]["loads.pull.x"]["value"], (0.02 * 0.03 + 0.01 * 0.014) / (0.02 * 0.02 + 0.01 * 0.01), 1e-6);
  EXPECT_NE(run.out.find("no intervals: a 'target' or a formula without 'noise' is a design goal"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("95 %"), std::string::npos) << run.out;
}

TEST(Goal, IsAMeasurementWithItsNoise) {
  const Workplace here;
  here.write("spec.yaml", bar_with(std::string(end_of_bar) + ", noise: 0.001}\n"));
  const Ended run = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(run.code, 0) << run.said();
  EXPECT_NEAR(json_of(here.run_folder() / "results.json")["fit"]["loads.pull.x"]["standard_error"], 0.001 / 0.02, 1e-6);
  EXPECT_EQ(run.out.find("goal"), std::string::npos) << run.out;
}

TEST(Goal, BesideMeasurementsIsNamed) {
  const Workplace here;
  here.write("ends.csv", "x,y,u_x\n2,0,0.031\n1,0,0.015\n2,1,0.0305\n");
  here.write("spec.yaml", bar_with(std::string(end_of_bar) + "}\n  - {type: markers, file: ends.csv}\n"));
  const Ended run = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(run.code, 0) << run.said();
  EXPECT_TRUE(json_of(here.run_folder() / "results.json").contains("inference"));
  EXPECT_NE(run.said().find("'end' is a goal (wanted values without noise), but the intervals treat it as measured values with a standard deviation of 1"), std::string::npos) << run.said();
}

// Its residuals are those of quadrature points, whose number says nothing about how well anything is known.
TEST(Goal, IsAFieldGivenByFormulas) {
  const Workplace here;
  here.write("spec.yaml", bar_with("  - {type: displacement_field, region: all, u_x: 0.014*x}\n"));
  const Ended run = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(run.code, 0) << run.said();
  EXPECT_FALSE(json_of(here.run_folder() / "results.json").contains("inference"));
  EXPECT_NE(run.out.find("no intervals"), std::string::npos) << run.out;
}

// The curve of a fit, that of a quantity of the same name, and data that are compared only.
TEST(Goal, ValuesOfNoWeightAreComparedOnly) {
  const Workplace here;
  here.write("end.csv", "t,value\n0.25,0.0052\n0.5,0.0099\n0.75,0.0149\n1,0.0203\n");
  const std::string end = "  - {name: end, type: point, point: [2, 1], component: u_x, file: end.csv, value: value}\n";
  const std::string other = "  - {name: other, type: point, point: [1, 1], component: u_x, file: end.csv, value: value, weight: 0}\n";
  const auto results = [&](const std::string& terms) {
    here.write("spec.yaml", "time: {steps: 4}\n" + bar_with(terms) + "  quantities: {end: {type: point, point: [2, 1], component: u_x}}\n");
    const Ended run = here.invar({"run", "spec.yaml"});
    EXPECT_EQ(run.code, 0) << run.said();
    return json_of(here.run_folder() / "results.json");
  };
  const nlohmann::json alone = results(end), with = results(end + other);
  EXPECT_EQ(with["inference"]["data"], 4);
  EXPECT_NEAR(with["fit"]["loads.pull.x"]["standard_error"], alone["fit"]["loads.pull.x"]["standard_error"], 1e-9);
  EXPECT_EQ(content(here.run_folder() / "curves/end.csv").substr(0, 8), "t,value,");
  EXPECT_EQ(content(here.run_folder() / "curves/end_2.csv").substr(0, 11), "t,measured,");
  EXPECT_EQ(content(here.run_folder() / "curves/other.csv").substr(0, 11), "t,measured,");
}

// One measured number for one unknown: it is identified, but its noise is not known.
TEST(Goal, AnUnknownNoiseIsNotUnidentifiable) {
  const Workplace here;
  here.write("end.csv", "x,y,u_x\n2,0,0.031\n");
  here.write("spec.yaml", bar_with("  - {type: markers, file: end.csv}\n"));
  const Ended run = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(run.code, 0) << run.said();
  EXPECT_EQ(run.out.find("not identifiable"), std::string::npos) << run.out;
  EXPECT_NE(run.said().find("there are no more data than inferred parameters"), std::string::npos) << run.said();
}

}  // namespace
}  // namespace invar::test
