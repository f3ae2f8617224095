// invar init: starter specs.
#include <gtest/gtest.h>

#include "apps/invar/verbs/starters.hpp"
#include "tests/unit/app/program.hpp"

namespace invar {
namespace {

using test::Ended, test::Workplace, test::content;

TEST(Init, EveryStarterIsValidAndSaysWhatItIs) {
  const Workplace here;
  const Ended list = here.invar({"init", "--list"});
  EXPECT_EQ(list.code, 0) << list.said();
  ASSERT_GE(starter_names().size(), 8u);
  for (const std::string& name : starter_names()) {
    EXPECT_NE(list.out.find("  " + name + ' '), std::string::npos) << name;
    EXPECT_GT(starter_summary(name).size(), 20u) << name;
    const Ended written = here.invar({"init", name});
    EXPECT_EQ(written.code, 0) << written.said();
    const Ended valid = here.invar({"validate", name + '/' + name + ".yaml"});
    EXPECT_EQ(valid.code, 0) << valid.said();
    EXPECT_NE(content(here.folder() / name / (name + ".yaml")).find("\nexpect:"), std::string::npos) << name;
  }
}

// The others run as starter.NAME under the label `long`.
TEST(Init, StarterRunsAndBringsWhatItPromises) {
  const Workplace here;
  EXPECT_EQ(here.invar({"init", "tensile", "--out", "mine"}).code, 0);
  const Ended run = here.invar({"run", "mine/tensile.yaml", "--expect", "-q"});
  EXPECT_EQ(run.code, 0) << run.said();
}

TEST(Init, NothingIsOverwritten) {
  const Workplace here;
  EXPECT_EQ(here.invar({"init", "swing"}).code, 0);
  here.write("swing/swing.csv", "my data");
  std::filesystem::remove(here.folder() / "swing/swing.yaml");
  const Ended again = here.invar({"init", "swing"});
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("swing.csv' exists and is not overwritten"), std::string::npos) << again.err;
  EXPECT_EQ(content(here.folder() / "swing/swing.csv"), "my data");
  EXPECT_FALSE(std::filesystem::exists(here.folder() / "swing/swing.yaml"));
  const Ended unknown = here.invar({"init", "tensil"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("did you mean 'tensile'?"), std::string::npos) << unknown.err;
}

}  // namespace
}  // namespace invar
