#include <gtest/gtest.h>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

/// Runs the edited beam; the run must end with `code`, say `word`, and leave a folder that says the same
/// and holds no results.
void expect_failure(const Edits& edits, int code, const std::string& word, const std::vector<std::string>& more = {}) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", beam(edits));
  std::vector<std::string> arguments = {"run", "spec.yaml"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Ended end = here.invar(arguments);
  EXPECT_EQ(end.code, code) << end.said();
  EXPECT_NE(end.said().find(word), std::string::npos) << end.said();
  EXPECT_EQ(end.said().find("bug"), std::string::npos) << end.said();
  const nlohmann::json record = json_of(here.run_folder() / "run.json");
  EXPECT_EQ(record["exit_code"], code);
  EXPECT_NE(record["reason"].get<std::string>().find(word), std::string::npos) << record;
  EXPECT_FALSE(fs::exists(here.run_folder() / "results.json"));
  EXPECT_FALSE(fs::exists(here.run_folder() / "fields"));
}

const char* load = "loads:\n  tip: {type: traction, region: right, y: 0.1}\n";

TEST(FailedRun, NoSupportIsSingular) {
  expect_failure({{"boundary:\n  left: {u_x: 0, u_y: 0}\n", ""}}, 4, "singular matrix");
}

TEST(FailedRun, AHingeIsSingular) { expect_failure({{"left: {u_x: 0", "left_bottom: {u_x: 0"}}, 4, "singular matrix"); }

// Quasi-static: without mass nothing resists the motion of a body without supports.
TEST(FailedRun, NoSupportInAProcessInTimeIsNamedWithItsUnknownAndAdvice) {
  const Workplace here;
  here.write("spec.yaml", "title: a free body\nmesh: {rectangle: {to: [1, 1], cells: [2, 2]}}\nphysics: {type: solid, kind: plane_strain}\n"
                          "materials: {rubber: {model: neo_hookean, young: 1, poisson: 0.3}}\n"
                          "loads: {push: {type: traction, region: right, x: 0.1}}\ntime: {scheme: bdf2, end: 1, steps: 2, inertia: false}\n");
  const Ended end = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(end.code, 4) << end.said();
  for (const char* words : {"singular matrix", "(u_", " at (", "the constraints leave part of the state undetermined"}) EXPECT_NE(end.said().find(words), std::string::npos) << end.said();
}

TEST(FailedRun, ALoadBeyondEveryEquilibriumDoesNotConverge) {
  expect_failure({{"y: 0.1}", "y: -1e6}"}, {"title: a beam", "title: a beam\nsolver: {max_cuts: 2, max_iterations: 20}"}}, 4,
                 "no convergence");
}

TEST(FailedRun, TooFewIterationsDoNotConverge) {
  expect_failure({{"y: 0.1}", "y: 5}"}, {"title: a beam", "title: a beam\nsolver: {max_cuts: 0, max_iterations: 1}"}}, 4,
                 "no convergence");
}

/// The right end is pushed through the left one: no admissible state exists.
TEST(FailedRun, AnInvertedBodyIsNoState) {
  expect_failure({{load, ""}, {"u_y: 0}", "u_y: 0}\n  right: {u_x: -1.5, u_y: 0}"}}, 4, "load step 1 of 1");
}

TEST(FailedRun, AFormulaWithoutValueIsNamed) {
  expect_failure({{"left: {u_x: 0", "left: {u_x: log(-1 - x)"}}, 3,
                 "spec.yaml:7:15: error: the formula 'log(-1 - x)' has no finite value at (0, ");
}

/// The deformation of a homogeneous body with prescribed boundary displacements does not depend on its modulus.
TEST(FailedRun, AModulusThatNothingDependsOnIsNamed) {
  expect_failure({{load, ""}, {"u_y: 0}", "u_y: 0}\n  right: {u_x: 0.1, u_y: 0}"}}, 3,
                 "spec.yaml:10:16: error: nothing depends on 'materials.rubber.young'");
}

/// A traction on a fixed facet changes the reaction only.
TEST(FailedRun, ALoadThatNothingDependsOnIsNamed) {
  expect_failure({{"u_y: 0}", "u_y: 0}\n  right: {u_x: 0.1, u_y: 0}"}, {"materials.rubber.young, start: 80, lower: 10, upper: 1000", "loads.tip.y"}},
                 3, "nothing depends on 'loads.tip.y'");
}

TEST(FailedRun, PetscOptionsThatPetscRefuses) {
  expect_failure({}, 2, "PETSc error", {"--", "-invar_ksp_type", "no_such_method"});
}

TEST(FailedRun, CheckNamesAVariableThatNothingDependsOn) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", beam({{load, ""}, {"u_y: 0}", "u_y: 0}\n  right: {u_x: 0.1, u_y: 0}"}}));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 3);
  EXPECT_NE(end.err.find("nothing depends on 'materials.rubber.young'"), std::string::npos) << end.said();
}

/// Zero by symmetry at the start is not the same as zero: compliance is a square of the load.
TEST(FailedRun, AVariableAtAStationaryStartIsNotRefused) {
  const Workplace here;
  here.write("spec.yaml", beam({{"{type: markers, file: markers.csv}", "{type: compliance}"}, {"y: 0.1}", "y: 0}"},
                                {"materials.rubber.young, start: 80, lower: 10, upper: 1000", "loads.tip.y, lower: -1, upper: 1"}}));
  const Ended end = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

TEST(FailedRun, AFolderInTheWayIsLeftAlone) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", beam());
  for (const auto& [out, words] : {std::pair("markers.csv", "'markers.csv' is a file"), std::pair(".", "contains files that do not belong to a run"),
                                   std::pair("/proc/no/run", "cannot make the run folder '/proc/no/run'")}) {
    const Ended end = here.invar({"run", "spec.yaml", "--out", out});
    EXPECT_EQ(end.code, 74) << end.said();
    EXPECT_NE(end.err.find(words), std::string::npos) << end.said();
  }
  EXPECT_EQ(content(here.folder() / "markers.csv"), beam_markers);
  EXPECT_FALSE(fs::exists(here.folder() / "results"));
}

TEST(FailedRun, UnmetExpectationsAreNamedEvenWhenQuiet) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", beam() + "expect:\n  probes.tip: {value: 1, rel: 1e-3}\n  fit.materials.rubber.young.value: {at_most: 0}\n");
  const Ended end = here.invar({"run", "spec.yaml", "--expect", "-q"});
  EXPECT_EQ(end.code, 5);
  for (const char* words : {"spec.yaml:18:15: probes.tip is ", "expected 1 ± 0.001",
                            "fit.materials.rubber.young.value is ", "expected at most 0", "2 expectations do not hold"})
    EXPECT_NE(end.out.find(words), std::string::npos) << words << " in\n" << end.out;
  EXPECT_EQ(json_of(here.run_folder() / "run.json")["exit_code"], 5);
}

}  // namespace
}  // namespace invar::test
