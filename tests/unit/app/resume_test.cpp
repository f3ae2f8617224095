#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/interrupted.hpp"

namespace invar::test {
namespace {

/// Modulus and pull that explain measured displacements; `optimizer` is the section's content.
std::string fit(const std::string& optimizer, Edits edits = {}) {
  edits.insert(edits.end(), {{"cells: [4, 1]", "cells: [12, 4]"},
                             {"y: 0.1}", "x: 0.1, y: 0.1}"},
                             {"upper: 1000}", "upper: 1000}\n  - {variable: loads.tip.x, lower: -1, upper: 2}"},
                             {"output:", "optimizer: {" + optimizer + "}\noutput:"}});
  return beam(edits);
}

void prepare_markers(const Workplace& here, const std::string& spec) {
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", spec);
}

/// A run that is broken off when it has shown `rows` iterates ends as one that was not.
void expect_resumes(const Workplace& here, const std::string& spec, int rows, int signal) {
  SCOPED_TRACE("signal " + std::to_string(signal) + " after " + std::to_string(rows) + " rows");
  prepare_markers(here, spec);
  if (!fs::exists(here.folder() / "whole")) {
    const Ended whole = here.invar({"run", "spec.yaml", "--out", "whole"});
    ASSERT_TRUE(whole.code == 0 || whole.code == 5) << whole.said();
  }
  ASSERT_GT(rows_in(here.folder() / "whole"), rows);
  fs::remove_all(here.folder() / "broken");
  const Ended broken = signalled(here, "broken", rows, signal);
  ASSERT_EQ(broken.code, signal == SIGKILL ? -SIGKILL : 75) << broken.said();
  ASSERT_LT(rows_in(here.folder() / "broken"), rows_in(here.folder() / "whole"));
  const Ended end = here.invar({"resume", "broken"});
  EXPECT_EQ(end.code, json_of(here.folder() / "whole/run.json")["exit_code"]) << end.said();
  EXPECT_NE(end.out.find("goes on after iteration"), std::string::npos) << end.said();
  expect_same(here.folder() / "whole", here.folder() / "broken");
}

class Resumed : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, Resumed,
                         testing::Values("method: levenberg_marquardt", "method: gauss_newton", "method: newton_cg", "method: sqp",
                                         "method: mma, max_iterations: 16", "method: quasi_newton", "method: conjugate_gradient", "starts: 3, max_iterations: 30",
                                         "starts: 3, method: mma, max_iterations: 8"),
                         [](const auto& test) { return "Case" + std::to_string(test.index); });

TEST_P(Resumed, EndAsIfNothingHadHappened) {
  const Workplace here;
  const std::string spec = fit(GetParam(), {{"output:", "output:\n  fields: all"}});
  for (const int rows : {2, 4}) expect_resumes(here, spec, rows, SIGKILL);
  expect_resumes(here, spec, 3, SIGINT);
  if (GetParam().starts_with("starts")) expect_resumes(here, spec, 13, SIGINT);  // where the first start has ended
}

// A gradient that is found together with states of several load steps, with other factors, differs in its last digits from one that follows them.
TEST(Resume, OfSeveralLoadStepsEndsAsIfNothingHadHappened) {
  for (const std::string method : {"gauss_newton", "newton_cg"}) {
    SCOPED_TRACE(method);
    const Workplace here;
    here.write("half.csv", "x,y,u_x,u_y\n1,0.25,-0.004,0.055\n");
    const std::string spec = beam({{"cells: [4, 1]", "cells: [12, 4]"}, {"y: 0.1}", "x: \"0.1*t\", y: \"0.1*t\"}"},
                                   {"upper: 1000}", "upper: 1000}\n  - {variable: materials.rubber.poisson, lower: 0.1, upper: 0.45}"},
                                   {"markers.csv}", "markers.csv}\n  - {type: markers, file: half.csv, at: 0.5}"}, {"output:", "optimizer: {method: " + method + "}\noutput:"}});
    for (const int rows : {2, 4}) expect_resumes(here, spec, rows, SIGKILL);
  }
}

TEST(Resume, AfterSeveralKillsInARow) {
  const Workplace here;
  prepare_markers(here, fit("method: mma, max_iterations: 20"));
  ASSERT_TRUE(here.invar({"run", "spec.yaml", "--out", "whole"}).code % 5 == 0);
  signalled(here, "broken", 1, SIGKILL);
  for (int kill = 0; kill < 4; ++kill) {
    const int rows = rows_in(here.folder() / "broken");
    const pid_t child = here.start({"resume", "broken"});
    for (int k = 0; k < 20000 && rows_in(here.folder() / "broken") <= rows; ++k)
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    ::kill(child, SIGKILL);
    here.end_of(child);
  }
  EXPECT_EQ(here.invar({"resume", "broken"}).code % 5, 0);
  expect_same(here.folder() / "whole", here.folder() / "broken");
}

/// On several processes with a solver that sums in the same order every time, which MUMPS does not.
TEST(Resume, GoesOnWhenTheLimitIsRaised) {
  for (const std::string method : {"mma", "quasi_newton", "conjugate_gradient"}) {
    for (const int ranks : {1, 2}) {
      if (ranks > 1 && std::system("command -v mpirun > /dev/null") != 0) continue;
      SCOPED_TRACE(method + " on " + std::to_string(ranks));
      const Workplace here;
      prepare_markers(here, fit("method: " + method + ", max_iterations: 4") + (ranks > 1 ? "solver: {linear: gmres_ilu}\n" : ""));
      EXPECT_EQ(here.invar({"run", "spec.yaml", "--out", "whole", "--set", "optimizer.max_iterations=9"}, ranks).code, 5);
      EXPECT_EQ(here.invar({"run", "spec.yaml", "--out", "broken"}, ranks).code, 5);
      EXPECT_EQ(rows_in(here.folder() / "broken"), 5);
      const Ended end = here.invar({"resume", "broken", "--set", "optimizer.max_iterations=9"}, ranks);
      EXPECT_EQ(end.code, 5) << end.said();
      expect_same(here.folder() / "whole", here.folder() / "broken");
      EXPECT_NE(content(here.folder() / "broken/resolved.yaml").find("max_iterations: 9"), std::string::npos);
    }
  }
}

TEST(Resume, WithAnotherNumberOfProcessesIsRefused) {
  if (std::system("command -v mpirun > /dev/null") != 0) GTEST_SKIP() << "no mpirun";
  const Workplace here;
  prepare_markers(here, fit("method: mma, max_iterations: 2"));
  ASSERT_EQ(here.invar({"run", "spec.yaml", "--out", "broken"}, 2).code, 5);
  const std::string before = content(here.folder() / "broken/run.json");
  const Ended end = here.invar({"resume", "broken", "--set", "optimizer.max_iterations=3"});
  EXPECT_EQ(end.code, 3) << end.said();
  EXPECT_NE(end.err.find("broken/checkpoints: error: the run was on 2 processes and can only be continued in the same way; use mpirun -n 2"),
            std::string::npos)
      << end.said();
  EXPECT_EQ(content(here.folder() / "broken/run.json"), before);
}

class BrokenOff : public testing::Test {
 protected:
  void SetUp() override {
    prepare_markers(here, fit("method: mma, max_iterations: 16"));
    ASSERT_EQ(here.invar({"run", "spec.yaml", "--out", "whole"}).code % 5, 0);
    ASSERT_EQ(signalled(here, "broken", 6, SIGINT).code, 75);
    for (const auto& entry : fs::directory_iterator(folder / "checkpoints")) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
  }
  static void spoil(const fs::path& file, bool cut) {
    std::string text = content(file);
    if (cut) text.resize(text.size() / 2);
    else text[text.size() / 2] ^= 1;
    std::ofstream(file, std::ios::binary) << text;
  }

  Workplace here;
  fs::path folder = here.folder() / "broken";
  std::vector<fs::path> files;
};

TEST_F(BrokenOff, SaysHowToGoOnAndKeepsTwoCheckpoints) {
  EXPECT_EQ(files.size(), 2u);
  const nlohmann::json run = json_of(folder / "run.json");
  EXPECT_EQ(run["exit_code"], 75);
  EXPECT_EQ(run["status"], "interrupted");
  EXPECT_NE(run["reason"].get<std::string>().find("'invar resume broken'"), std::string::npos);
  EXPECT_TRUE(fs::exists(folder / "results.json"));
  ASSERT_EQ(here.invar({"resume", "broken"}).code % 5, 0);
  EXPECT_EQ(json_of(folder / "run.json")["started"], run["started"]);
  EXPECT_EQ(json_of(folder / "run.json")["resumed"].size(), 1u);
  EXPECT_GE(json_of(folder / "run.json")["seconds"].get<double>(), run["seconds"].get<double>());
  const std::string log = content(folder / "log.txt");
  EXPECT_LT(log.find("interrupted:"), log.find("goes on after iteration"));
}

TEST_F(BrokenOff, ADamagedCheckpointFallsBackToTheOneBefore) {
  for (const bool cut : {true, false}) {
    fs::copy(folder, here.folder() / "copy", fs::copy_options::recursive);
    const fs::path newest = here.folder() / "copy/checkpoints" / files.back().filename();
    spoil(newest, cut);
    const Ended end = here.invar({"resume", "copy"});
    EXPECT_EQ(end.code % 5, 0) << end.said();
    EXPECT_NE(end.out.find(newest.filename().string() + "' is damaged; the run continues from the checkpoint before"), std::string::npos)
        << end.said();
    expect_same(here.folder() / "whole", here.folder() / "copy");
    fs::remove_all(here.folder() / "copy");
  }
}

TEST_F(BrokenOff, WithoutAWholeCheckpointBeginsAnew) {
  for (const fs::path& file : files) spoil(file, true);
  const Ended end = here.invar({"resume", "broken"});
  EXPECT_EQ(end.code % 5, 0) << end.said();
  EXPECT_NE(end.out.find("is damaged; the run continues from its start"), std::string::npos) << end.said();
  expect_same(here.folder() / "whole", folder);
}

TEST_F(BrokenOff, AnotherSpecIsRefused) {
  const std::string before = content(folder / "run.json");
  const Ended set = here.invar({"resume", "broken", "--set", "materials.rubber.young=90"});
  EXPECT_EQ(set.code, 3);
  EXPECT_NE(set.err.find("--set materials.rubber.young: error: 'materials.rubber.young' is 90 and was 100 when the run began"),
            std::string::npos)
      << set.said();
  std::string spec = content(folder / "resolved.yaml");
  const std::size_t at = spec.find("model: neo_hookean");
  ASSERT_NE(at, std::string::npos) << spec;
  std::ofstream(folder / "resolved.yaml") << spec.replace(at, 18, "model: saint_venant_kirchhoff");
  const Ended edited = here.invar({"resume", "broken"});
  EXPECT_EQ(edited.code, 3) << edited.said();
  EXPECT_NE(edited.err.find("was neo_hookean when the run began"), std::string::npos) << edited.said();
  EXPECT_EQ(content(folder / "run.json"), before);
}

/// Starts that have ended at the old limit would not be taken up again.
TEST(Resume, OfSeveralStartsKeepsTheirLimit) {
  const Workplace here;
  prepare_markers(here, fit("method: mma, starts: 2, max_iterations: 2"));
  ASSERT_EQ(here.invar({"run", "spec.yaml", "--out", "broken"}).code, 5);
  const Ended end = here.invar({"resume", "broken", "--set", "optimizer.max_iterations=4"});
  EXPECT_EQ(end.code, 3) << end.said();
  EXPECT_NE(end.err.find("'optimizer.max_iterations' is 4 and was 2"), std::string::npos) << end.said();
}

TEST_F(BrokenOff, OtherDataAreRefused) {
  here.write("markers.csv", "x,y,u_x,u_y\n1,0.25,-0.01,0.11\n0.5,0.25,-0.005,0.03\n");
  const Ended end = here.invar({"resume", "broken"});
  EXPECT_EQ(end.code, 3) << end.said();
  EXPECT_NE(end.err.find("broken: error: the objective at the start is "), std::string::npos) << end.said();
  here.write("markers.csv", beam_markers);
  EXPECT_EQ(here.invar({"resume", "broken"}).code % 5, 0);
  expect_same(here.folder() / "whole", folder);
}

TEST_F(BrokenOff, PetscOptionsBelongToTheRun) {
  const Ended end = here.invar({"resume", "broken", "--", "-invar_ksp_rtol", "1e-3"});
  EXPECT_EQ(end.code, 3) << end.said();
  EXPECT_NE(end.err.find("is -invar_ksp_rtol 1e-3 and was not given when the run began"), std::string::npos) << end.said();
}

TEST(Resume, OfAFinishedRunSaysSo) {
  const Workplace here;
  prepare_markers(here, fit("method: sqp"));
  ASSERT_EQ(here.invar({"run", "spec.yaml"}).code, 0);
  const auto before = findings(here.run_folder());
  const Ended end = here.invar({"resume", "results/spec"});
  EXPECT_EQ(end.code, 0) << end.said();
  EXPECT_NE(end.out.find("The run in 'results/spec' has finished: "), std::string::npos) << end.said();
  EXPECT_EQ(findings(here.run_folder()), before);
}

TEST(Resume, OfARunThatHadNoIterateBeginsAtItsStart) {
  const Workplace here;
  prepare_markers(here, fit("method: sqp"));
  ASSERT_EQ(here.invar({"run", "spec.yaml", "--out", "whole"}).code, 0);
  const pid_t child = here.start({"run", "spec.yaml", "--out", "broken"});
  for (int k = 0; k < 20000 && !fs::exists(here.folder() / "broken/resolved.yaml"); ++k)
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  ::kill(child, SIGKILL);
  ASSERT_EQ(here.end_of(child).code, -SIGKILL);
  ASSERT_FALSE(fs::exists(here.folder() / "broken/checkpoints"));
  const Ended end = here.invar({"resume", "broken"});
  EXPECT_EQ(end.code, 0) << end.said();
  expect_same(here.folder() / "whole", here.folder() / "broken");
}

TEST(Resume, OfWhatIsNoRunIsRefused) {
  const Workplace here;
  prepare_markers(here, beam());
  fs::create_directory(here.folder() / "empty");
  fs::create_directory(here.folder() / "half");
  here.write("half/run.json", "{\"program\": \"invar\"}");
  for (const auto& [folder, words] : {std::pair("nowhere", "there is no folder 'nowhere'"), std::pair("spec.yaml", "'spec.yaml' is a file"),
                                      std::pair("empty", "'empty' is not the folder of a run"), std::pair("half", "'half' has no resolved.yaml")}) {
    const Ended end = here.invar({"resume", folder});
    EXPECT_EQ(end.code, 74) << end.said();
    EXPECT_NE(end.err.find(words), std::string::npos) << end.said();
  }
}

/// A density in two stages of flow: the states that solves begin with belong to the run, too.
TEST(Resume, ADensityInStages) {
  const Workplace here;
  const std::string spec = R"(title: a bend
mesh: {rectangle: {to: [1, 1], cells: [12, 12]}}
physics: {type: flow, kind: planar}
materials:
  fluid: {model: newtonian, density: 1, viscosity: 0.1}
boundary:
  left: {u_x: "abs(y - 0.75) < 0.25 ? 1 - ((y - 0.75)/0.25)^2 : 0", u_y: 0}
  right: {no_slip: true}
  top: {no_slip: true}
  bottom: {u_x: 0, u_y: "abs(x - 0.75) < 0.25 ? -(1 - ((x - 0.75)/0.25)^2) : 0"}
  right_top: {p: 0}
design:
  - {kind: density, radius: 0.2, max_resistance: 250, start: 0.5,
     stages: [{convexity: 0.01, iterations: 4}, {convexity: 0.1, steepness: 2, iterations: 5}]}
objective:
  - {type: dissipation}
constraints:
  - {name: volume, type: fluid_volume, upper: 0.5, scale: 0.5}
)";
  for (const int rows : {2, 5, 6, 8}) expect_resumes(here, spec, rows, SIGKILL);
  expect_resumes(here, spec, 7, SIGINT);
}

/// A wall of a channel, every node free: the mesh that follows begins where it was, too.
const char* shape_spec = R"spec(title: a wall
mesh: {rectangle: {to: [2, 1], cells: [8, 4], shape: triangle}}
physics: {type: flow, kind: planar}
materials:
  fluid: {model: newtonian, density: 1, viscosity: 0.1}
boundary:
  left: {u_x: "4*y*(1 - y)", u_y: 0}
  bottom: {no_slip: true}
  top: {no_slip: true}
loads:
  out: {type: pressure, region: right, p: 0}
design:
  - {kind: free_boundary, region: top, smoothing: 0.2, largest: 0.3}
objective:
  - {type: dissipation}
constraints:
  - {name: area, type: volume, lower: 2, upper: 2, scale: 2}
output: {fields: iterations}
)spec";

TEST(Resume, AShape) {
  const Workplace here;
  const std::string spec = shape_spec;
  const std::string spec_of_ten = spec + "optimizer: {method: mma, max_iterations: 10}\n";
  for (const int rows : {2, 4, 7}) expect_resumes(here, spec_of_ten, rows, SIGKILL);
  expect_resumes(here, spec_of_ten, 5, SIGINT);
}

}  // namespace
}  // namespace invar::test
