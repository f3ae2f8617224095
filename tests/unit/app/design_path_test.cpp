#include <gtest/gtest.h>

#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

/// A linear body in two cases, the second with loads of its own: deflections are in proportion to the loads.
const char* two_loaded_cases = R"(title: two cases
mesh: {rectangle: {to: [1, 0.25], cells: [2, 1]}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: linear_elastic, young: 100, poisson: 0.3}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  tip: {type: traction, region: right, y: 4}
cases:
  one: {}
  two:
    loads:
      tip: {type: traction, region: right, y: 8}
output:
  fields: none
  probes:
    one: {case: one, point: [1, 0.25], component: u_y}
    two: {case: two, point: [1, 0.25], component: u_y}
)";
const char* wanted_deflection = "objective:\n  - {type: point, case: one, point: [1, 0.25], component: u_y, target: 0.5}\n";

struct Deflections {
  double one = 0, two = 0;  // deflections of the two cases
  nlohmann::json fit;
};

Deflections deflections(const std::string& spec, const std::vector<std::string>& sets = {}) {
  const Workplace here;
  here.write("spec.yaml", spec);
  std::vector<std::string> arguments = {"run", "spec.yaml", "-q"};
  for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
  const Ended end = here.invar(arguments);
  EXPECT_EQ(end.code, 0) << end.said();
  const nlohmann::json results = json_of(here.run_folder() / "results.json");
  return {results["probes"]["one"], results["probes"]["two"], results.value("fit", nlohmann::json())};
}

/// The second case keeps its load of 8 Pa, whether the first one's is set or designed.
TEST(DesignPath, ACaseKeepsTheNumbersOfItsOwnSections) {
  const Deflections given = deflections(two_loaded_cases);
  ASSERT_NEAR(given.two / given.one, 2, 1e-9);
  const Deflections set = deflections(two_loaded_cases, {"loads.tip.y=2"});
  EXPECT_NEAR(set.one / given.one, 0.5, 1e-9);
  EXPECT_NEAR(set.two, given.two, 1e-14);
  const Deflections designed = deflections(std::string(two_loaded_cases) + "design:\n  - {variable: loads.tip.y}\n" + wanted_deflection);
  EXPECT_NEAR(designed.one, 0.5, 1e-7);
  EXPECT_NEAR(designed.two, given.two, 1e-14);
  EXPECT_NEAR(designed.fit["loads.tip.y"]["value"].get<double>() / 4, designed.one / given.one, 1e-9);
}

/// A case that has the section at the top may differ in one number: set and designed alike.
TEST(DesignPath, ANumberOfOneCase) {
  const Deflections given = deflections(two_loaded_cases);
  const Deflections own = deflections(two_loaded_cases, {"cases.two.loads.tip.y=6"}), copied = deflections(two_loaded_cases, {"cases.one.loads.tip.y=6"});
  EXPECT_NEAR(own.two / given.two, 0.75, 1e-9);
  EXPECT_NEAR(own.one, given.one, 1e-14);
  EXPECT_NEAR(copied.one / given.one, 1.5, 1e-9);
  EXPECT_NEAR(copied.two, given.two, 1e-14);
  const Deflections softer = deflections(two_loaded_cases, {"cases.one.materials.rubber.young=50"});
  EXPECT_NEAR(softer.one / given.one, 2, 1e-9);
  EXPECT_NEAR(softer.two, given.two, 1e-14);
  const Deflections designed = deflections(std::string(two_loaded_cases) + "design:\n  - {variable: cases.one.materials.rubber.young, scale: log}\n" + wanted_deflection);
  EXPECT_NEAR(designed.one, 0.5, 1e-7);
  EXPECT_NEAR(designed.two, given.two, 1e-14);
}

/// Where every case has a section of its own, there is no such number at the top.
TEST(DesignPath, NumbersOfCasesAreNamedWithTheirCase) {
  const Workplace here;
  here.write("spec.yaml", std::string(two_loaded_cases) + "design:\n  - {variable: loads.tip.y}\n" + wanted_deflection);
  const Ended end = here.invar({"validate", "spec.yaml", "--set", "cases.one.loads.tip.y=1"});
  EXPECT_EQ(end.code, 3) << end.said();
  EXPECT_NE(end.err.find("spec.yaml:21:16: error: there is no design variable at 'loads.tip.y'"), std::string::npos) << end.err;
  EXPECT_NE(end.err.find("cases.one.loads.tip.y, cases.two.loads.tip.y"), std::string::npos) << end.err;
}

}  // namespace
}  // namespace invar::test
