#include <gtest/gtest.h>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

int count(const std::string& text, const std::string& word) {
  int n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

class Ranks : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v mpirun > /dev/null") != 0) GTEST_SKIP() << "no mpirun";
    here.write("markers.csv", beam_markers);
    here.write("spec.yaml", beam());
  }
  Workplace here;
};

/// The equations are solved to 1e-10 of their right-hand sides, the optimum to 1e-12 of the objective.
TEST_F(Ranks, TwoGiveTheSameResultsAsOne) {
  ASSERT_EQ(here.invar({"run", "spec.yaml", "--out", "one"}).code, 0);
  const Ended end = here.invar({"run", "spec.yaml", "--out", "two"}, 2);
  ASSERT_EQ(end.code, 0) << end.said();
  EXPECT_EQ(count(end.out, "invar 0"), 1);
  const nlohmann::json one = json_of(here.folder() / "one/results.json"), two = json_of(here.folder() / "two/results.json");
  for (const char* pointer : {"/objective", "/probes/tip", "/fit/materials.rubber.young/value", "/cases/case/stored_energy"}) {
    const double expected = one.at(nlohmann::json::json_pointer(pointer));
    EXPECT_NEAR(two.at(nlohmann::json::json_pointer(pointer)).get<double>(), expected, 1e-8 * std::abs(expected)) << pointer;
  }
  EXPECT_TRUE(fs::exists(here.folder() / "two/fields/case_1.pvtu"));
}

TEST_F(Ranks, AMistakeIsSaidOnce) {
  const Ended end = here.invar({"run", "spec.yaml", "--set", "materials.rubber.yuong=1"}, 2);
  EXPECT_EQ(end.code, 3) << end.said();
  EXPECT_EQ(count(end.said(), "unknown key 'yuong'"), 1) << end.said();
  EXPECT_FALSE(fs::exists(here.folder() / "results"));
}

TEST_F(Ranks, AFailureIsSaidOnce) {
  const Ended end = here.invar({"run", "spec.yaml", "--set", "boundary={left: {u_x: 0}}"}, 2);
  EXPECT_EQ(end.code, 4) << end.said();
  EXPECT_EQ(count(end.said(), "singular matrix"), 1) << end.said();
  EXPECT_EQ(json_of(here.run_folder() / "run.json")["exit_code"], 4);
}

/// Only the first rank writes; the others must not wait for it for ever.
TEST_F(Ranks, AFolderInTheWayEndsAll) {
  const Ended end = here.invar({"run", "spec.yaml", "--out", "markers.csv"}, 2);
  EXPECT_EQ(end.code, 74) << end.said();
  EXPECT_EQ(count(end.said(), "'markers.csv' is a file"), 1) << end.said();
}

}  // namespace
}  // namespace invar::test
