#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "apps/invar/verbs/interruption.hpp"
#include "tests/unit/app/swing.hpp"

namespace invar {
namespace {

TEST(Interruption, NotesSignalsAndLetsASecondCtrlCThrough) {
  struct sigaction now = {};
  {
    const Interruption interruption;
    EXPECT_FALSE(interruption.asked());
    for (const int signal : {SIGUSR1, SIGTERM, SIGTERM, SIGINT}) std::raise(signal);  // as batch systems send them
    EXPECT_TRUE(interruption.asked());
    EXPECT_GE(interruption.seconds(), 0);
    sigaction(SIGINT, nullptr, &now);
    EXPECT_EQ(now.sa_handler, SIG_DFL);
    EXPECT_FALSE(interruption.has_cut());
  }
  Interruption next;
  EXPECT_FALSE(next.asked());
  next.ask();
  EXPECT_TRUE(next.asked());
}

TEST(Interruption, PutsBackWhatWasThere) {
  struct sigaction before = {}, after = {};
  sigaction(SIGINT, nullptr, &before);
  { const Interruption interruption; }
  sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

const char* long_pull = R"spec(title: a strip in many load steps
mesh: {rectangle: {to: [1, 1], cells: [24, 24]}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: neo_hookean, young: 1, poisson: 0.3}
boundary:
  left: {u_x: 0, u_y: 0}
  right: {u_x: 0.5, u_y: 0}
time: {steps: 500}
)spec";

/// Starts the run and sends the signal as soon as what it said so far holds `word`.
test::Ended signalled_at(const test::Workplace& here, const std::string& word, int signal, int ranks) {
  const pid_t child = here.start({"run", "spec.yaml", "-vv"}, ranks);
  const auto begin = std::chrono::steady_clock::now();
  while (test::content(here.run_folder() / "log.txt").find(word) == std::string::npos &&
         std::chrono::steady_clock::now() - begin < std::chrono::seconds(60))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ::kill(child, signal);
  return here.end_of(child);
}

// A simulation that is interrupted ends soon and keeps what it has solved; what it did until then is in its log.
TEST(InterruptedSolve, KeepsTheStatesThatWereSolved) {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) {
    const test::Workplace here;
    here.write("spec.yaml", long_pull);
    const test::Ended end = signalled_at(here, "t = 0.006 from 0.004", signal, 1);
    EXPECT_EQ(end.code, 75) << end.said();
    EXPECT_NE(end.said().find("interrupted"), std::string::npos) << end.said();
    EXPECT_TRUE(test::fs::exists(here.run_folder() / "fields/case.pvd")) << end.said();
    EXPECT_FALSE(test::fs::exists(here.run_folder() / "results.json"));
    EXPECT_EQ(test::json_of(here.run_folder() / "run.json")["exit_code"], 75);
    const std::string log = test::content(here.run_folder() / "log.txt");
    EXPECT_NE(log.find("Newton  0  residual"), std::string::npos);
    EXPECT_NE(log.find("Newton  1  residual"), std::string::npos);
  }
}

/// Whether a process has a handler for SIGTERM.
bool handles_term(pid_t process) {
  const std::string text = test::content("/proc/" + std::to_string(process) + "/status");
  const std::size_t at = text.find("SigCgt:");
  return at != std::string::npos && std::stoull(text.substr(at + 7), nullptr, 16) >> (SIGTERM - 1) & 1;
}

// They have nothing to resume, and end at once.
TEST(InterruptedVerb, EndsWithItsExitCode) {
  for (const char* verb : {"check", "gradient"}) {
    const test::Workplace here;
    here.write("spec.yaml", std::string(long_pull) + "loads:\n  push: {type: traction, region: top, y: -0.01}\ndesign:\n  - {variable: materials.rubber.young}\nobjective:\n  - {type: point, point: [0.5, 0.5], component: u_x}\n");
    const pid_t child = here.start({verb, "spec.yaml", "--out", "here"});
    for (int i = 0; i < 60000 && !handles_term(child); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    // until it solves: nothing may have taken the handler away
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    ::kill(child, SIGTERM);
    const test::Ended end = here.end_of(child);
    EXPECT_EQ(end.code, 75) << end.said();
    EXPECT_NE(end.err.find("interrupted"), std::string::npos) << end.said();
    EXPECT_FALSE(test::fs::exists(here.folder() / "here/gradient.json"));
  }
}

const char* long_swing = R"spec(title: a strip that swings for long
mesh: {rectangle: {to: [4, 1], cells: [32, 8]}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: neo_hookean, young: 1, poisson: 0.3, density: 1}
boundary:
  left: {u_x: 0, u_y: 0}
initial:
  all: {v_y: 0.02}
time: {scheme: newmark, end: 100, steps: 5000MORE}
output: {fields: all}
)spec";

// A process in time has stored all states, or only the last one if memory is limited to checkpoints.
TEST(InterruptedSolve, KeepsWhatAMarchHasReached) {
  for (const bool checkpoints : {false, true}) {
    SCOPED_TRACE(checkpoints);
    const test::Workplace here;
    std::string text = long_swing;
    text.replace(text.find("MORE"), 4, checkpoints ? ", memory: 0.1" : "");
    here.write("spec.yaml", text);
    const test::Ended end = signalled_at(here, "from t = 0.1\n", SIGTERM, 1);
    EXPECT_EQ(end.code, 75) << end.said();
    EXPECT_NE(end.said().find("of 100: the fields of the solved states are written"), std::string::npos) << end.said();
    const std::string series = test::content(here.run_folder() / "fields/case.pvd");
    std::size_t states = 0;
    for (std::size_t at = 0; (at = series.find("<DataSet", at)) != std::string::npos; ++at) ++states;
    if (checkpoints) {
      EXPECT_EQ(states, 1u);
    }
    else EXPECT_GE(states, 5u);
    const std::string steps = test::content(here.run_folder() / "steps/case.csv");
    EXPECT_GE(std::count(steps.begin(), steps.end(), 0x0a), 5) << end.said();
    EXPECT_FALSE(test::fs::exists(here.run_folder() / "results.json"));
  }
}

/// Starts the run, sends the signal when it has shown so many iterates and `pause` has passed, and tells how long it
/// took to end.
test::Ended broken_off(const test::Workplace& here, int rows, double pause, int signal, double& seconds, int ranks = 1) {
  const pid_t child = here.start({"run", "spec.yaml", "--out", "broken"}, ranks);
  const test::fs::path run = here.folder() / "broken";
  for (int i = 0; i < 60000 && (rows == 0 ? !test::fs::exists(run / "run.json") : test::rows_in(run) < rows); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::duration<double>(pause));
  const auto begin = std::chrono::steady_clock::now();
  ::kill(child, signal);
  const test::Ended end = here.end_of(child);
  seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return end;
}

// The first evaluation alone would take minutes.
TEST(InterruptedSearch, EndsWithinAnEvaluation) {
  for (const int ranks : {1, 2}) {
    if (ranks > 1 && std::system("command -v mpirun > /dev/null") != 0) continue;
    const test::Workplace here;
    here.write("spec.yaml", test::swing_spec(200000, 5));
    double seconds = 0;
    const test::Ended end = broken_off(here, 0, 0.5, SIGUSR1, seconds, ranks);
    EXPECT_EQ(end.code, 75) << end.said();
    EXPECT_LT(seconds, 10);
    EXPECT_NE(end.out.find("interrupted; continue with 'invar resume broken'"), std::string::npos) << end.said();
    EXPECT_EQ(test::json_of(here.folder() / "broken/run.json")["exit_code"], 75);
  }
}

TEST(InterruptedSearch, HonoursATimeLimit) {
  const test::Workplace here;
  here.write("spec.yaml", test::swing_spec(200000, 5));
  const test::Ended end = here.invar({"run", "spec.yaml", "--out", "broken", "--time", "0:01"});
  EXPECT_EQ(end.code, 75) << end.said();
  EXPECT_NE(end.said().find("the time limit is reached: the run ends after the current operation"), std::string::npos) << end.said();
  EXPECT_NE(end.out.find("interrupted; continue with 'invar resume broken'"), std::string::npos) << end.said();
  const double seconds = test::json_of(here.folder() / "broken/run.json")["seconds"];
  EXPECT_GT(seconds, 0.5);
  EXPECT_LT(seconds, 10);
}

// The method's data from an aborted evaluation are discarded: the resumed run is as if it had not been interrupted.
TEST(InterruptedSearch, GoesOnWithTheSameDigitsAfterAnEvaluationWasCutShort) {
  for (const bool checkpoints : {false, true}) {  // with those the sweep takes steps again
    SCOPED_TRACE(checkpoints);
    const test::Workplace here;
    std::string spec = test::swing_spec(60, 3);
    if (checkpoints) spec.replace(spec.find("steps: 60"), 9, "steps: 60, memory: 0.05");
    here.write("spec.yaml", spec);
    ASSERT_EQ(here.invar({"run", "spec.yaml", "--out", "whole"}).code, 5);
    const double each = test::json_of(here.folder() / "whole/run.json")["seconds"].get<double>() / 8;
    int cut = 0, tries = 0, signal = SIGTERM;
    // An evaluation took other times before, where others use the machine: more tries where none was cut short.
    for (const double part : checkpoints ? std::vector{0.6, 0.3, 0.8, 0.5} : std::vector{0.3, 0.7, 0.5, 0.2}) {
      if (++tries > (checkpoints ? 1 : 2) && cut > 0) break;
      test::fs::remove_all(here.folder() / "broken");
      double seconds = 0;
      const test::Ended end = broken_off(here, 3, part * each, signal, seconds);
      signal = SIGUSR1;
      ASSERT_EQ(end.code, 75) << end.said();
      EXPECT_LT(seconds, 10);
      cut += test::rows_in(here.folder() / "broken") == 3;
      const test::Ended rest = here.invar({"resume", "broken"});
      EXPECT_EQ(rest.code, 5) << rest.said();
      EXPECT_NE(rest.out.find("goes on after iteration "), std::string::npos) << rest.out;
      test::expect_same(here.folder() / "whole", here.folder() / "broken");
    }
    EXPECT_GE(cut, 1) << "evaluations were cut short, not waited for";
  }
}

}  // namespace
}  // namespace invar
