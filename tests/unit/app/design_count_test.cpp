#include <gtest/gtest.h>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/channel.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

std::string validated(const std::string& spec, int ranks = 1) {
  const Workplace here;
  here.write("spec.yaml", spec);
  here.write("markers.csv", beam_markers);
  const Ended end = here.invar({"validate", "spec.yaml"}, ranks);
  EXPECT_EQ(end.code, 0) << end.said();
  return end.out;
}

/// Four cells with a modulus each.
TEST(DesignCount, EntriesOfFieldsAreDesignVariables) {
  const std::string field = beam({{"{variable: materials.rubber.young, start: 80, lower: 10, upper: 1000}",
                                   "{kind: field, variable: materials.rubber.young, radius: 0.6}"}});
  for (const int ranks : {1, 2}) EXPECT_NE(validated(field, ranks).find("4 design variables (4 entries of fields), 4 data"), std::string::npos);
  std::string both = field;
  both.replace(both.find("objective:"), 10, "  - {variable: loads.tip.y}\nobjective:");
  EXPECT_NE(validated(both).find("5 design variables (1 number, 4 entries of fields), 4 data"), std::string::npos);
  EXPECT_NE(validated(beam()).find("1 design variable, 4 data"), std::string::npos);
}

/// A least value without data knows no differences.
TEST(DesignCount, SquaresAreThoseOfData) {
  const Workplace here;
  here.write("spec.yaml", channel() + "design:\n  - {variable: materials.water.viscosity, lower: 0.4, upper: 1}\nobjective:\n  - {type: dissipation}\n");
  const Ended end = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  EXPECT_EQ(end.out.find("sum of squared"), std::string::npos) << end.out;
  const nlohmann::json results = json_of(here.run_folder() / "results.json");
  EXPECT_FALSE(results.contains("sum_of_squares"));
  EXPECT_EQ(results["design"]["variables"], 1);
}

}  // namespace
}  // namespace invar::test
