#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "apps/invar/verbs/interruption.hpp"
#include "tests/unit/app/program.hpp"

namespace invar {
namespace {

TEST(Interruption, NotesTheFirstSignalAndLetsTheSecondThrough) {
  struct sigaction now = {};
  {
    const Interruption interruption;
    EXPECT_FALSE(interruption.asked());
    std::raise(SIGTERM);
    EXPECT_TRUE(interruption.asked());
    sigaction(SIGTERM, nullptr, &now);
    EXPECT_EQ(now.sa_handler, SIG_DFL);
  }
  const Interruption next;
  EXPECT_FALSE(next.asked());
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

}  // namespace
}  // namespace invar
