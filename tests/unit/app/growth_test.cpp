#include <gtest/gtest.h>

#include <sstream>

#include "tests/unit/app/channel.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

/// The column `value` of curves/q.csv.
std::vector<double> growth_curve(const std::string& spec) {
  const Workplace here;
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"run", "spec.yaml", "-q"});
  EXPECT_EQ(end.code, 0) << end.said();
  std::istringstream lines(content(here.run_folder() / "curves/q.csv"));
  std::vector<double> values;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) values.push_back(std::stod(line.substr(line.find(',') + 1)));
  return values;
}

std::string growing_bar(const std::string& time, const std::string& right, const std::string& loads) {
  return R"(title: a bar
mesh: {rectangle: {to: [1, 1], cells: [1, 1]}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: linear_elastic, young: 100, poisson: 0}
boundary:
  left: {u_x: 0, u_y: 0}
)" + right + loads + "time: " + time + R"(
output:
  fields: none
  quantities:
    q: {type: point, point: [1, 0.5], component: u_x}
)";
}

void expect_growth(const std::vector<double>& values, const std::vector<double>& wanted) {
  ASSERT_EQ(values.size(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(values[k], wanted[k], 1e-9) << "step " << k;
}

const std::string steps_in_time = "{scheme: backward_euler, inertia: false, end: 1, steps: 4}";
const std::string pulled = "loads:\n  pull: {type: traction, region: right, x: 10}\n", moved = "  right: {u_x: 0.1}\n";

/// Strain 0.1 by a stress of 10 Pa or by a displacement of 0.1 m.
TEST(Growth, NumbersOfAStaticSolidGrow) {
  expect_growth(growth_curve(growing_bar("{steps: 4}", moved, "")), {0.025, 0.05, 0.075, 0.1});
  expect_growth(growth_curve(growing_bar("{steps: 4}", "", pulled)), {0.025, 0.05, 0.075, 0.1});
}

/// The first time is the start, before anything has moved.
TEST(Growth, InTimeTheyHoldAsTheyAre) {
  const std::vector<double> values = growth_curve(growing_bar(steps_in_time, "", pulled));
  ASSERT_EQ(values.size(), 5u);
  EXPECT_EQ(values[0], 0);
  for (std::size_t k = 1; k < values.size(); ++k) EXPECT_NEAR(values[k], 0.1, 1e-9);
}

TEST(Growth, FormulasHoldAsTheyAre) {
  expect_growth(growth_curve(growing_bar("{steps: 4}", "  right: {u_x: \"0.1\"}\n", "")), {0.1, 0.1, 0.1, 0.1});
  expect_growth(growth_curve(growing_bar("{steps: 4}", "  right: {u_x: 0.1*t^2}\n", "")), {0.00625, 0.025, 0.05625, 0.1});
}

TEST(Growth, InFlowNumbersHoldAsTheyAre) {
  expect_growth(growth_curve(channel({{"left: {u_x: \"4*y*(1 - y)\", u_y: 0}\n", "left: {u_y: 0}\n"},
                                {"loads:\n", "loads:\n  in: {type: pressure, region: left, p: 8}\n"},
                                {"output:\n", "time: {steps: 3}\noutput:\n  quantities:\n    q: {type: point, point: [1, 0.5], component: u_x}\n"}})),
              {1, 1, 1});
}

}  // namespace
}  // namespace invar::test
