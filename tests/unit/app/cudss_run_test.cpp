// Runs with `solver.linear: cudss`: without the library, and with its replacement.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

/// A run of the beam with this library; its gradient is checked, too.
Ended run_with_cudss(const Workplace& here, const char* library, const char* method) {
  setenv("INVAR_CUDSS", library, 1);
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", beam({{"title: a beam", "title: a beam\nsolver: {linear: " + std::string(method) + "}"}}));
  const Ended end = here.invar({"run", "spec.yaml"});
  unsetenv("INVAR_CUDSS");
  return end;
}

TEST(CudssRun, WithoutTheLibraryTheRunEndsWithOneLine) {
  const Workplace here;
  const Ended end = run_with_cudss(here, "/nowhere/libcudss.so", "cudss");
  EXPECT_EQ(end.code, 4) << end.said();
  EXPECT_NE(end.said().find("linear solver 'cudss' cannot be used"), std::string::npos) << end.said();
  EXPECT_NE(end.said().find("/nowhere/libcudss.so"), std::string::npos) << end.said();
  EXPECT_EQ(end.said().find("bug"), std::string::npos) << end.said();
}

TEST(CudssRun, SumsInAnyOrderAreCudsss) {
  const Workplace here;
  const Ended end = run_with_cudss(here, INVAR_CUDSS_STAND_IN, "mumps_cholesky, reproducible: false");
  EXPECT_EQ(end.code, 3) << end.said();
  EXPECT_NE(end.said().find("all sums are in a fixed order without cuDSS"), std::string::npos) << end.said();
}

TEST(CudssRun, ASearchGivesWhatOtherFactorsGive) {
  double objective[2];
  for (const bool by_cudss : {false, true}) {
    const Workplace here;
    const Ended end = run_with_cudss(here, INVAR_CUDSS_STAND_IN, by_cudss ? "cudss_ldlt, reproducible: false" : "auto");
    ASSERT_EQ(end.code, 0) << end.said();
    objective[by_cudss] = json_of(here.run_folder() / "results.json")["objective"].get<double>();
    EXPECT_EQ(json_of(here.run_folder() / "run.json")["libraries"].value("cuDSS", "none"), by_cudss ? "1.0.0" : "none");
  }
  EXPECT_NEAR(objective[1], objective[0], 1e-8 * objective[0]);
}

}  // namespace
}  // namespace invar::test
