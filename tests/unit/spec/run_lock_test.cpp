#include "apps/invar/report/run_lock.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>

#include "apps/invar/report/busy_error.hpp"
#include "apps/invar/report/run_folder.hpp"
#include "apps/invar/report/run_state.hpp"
#include "tests/unit/spec/demo_table.hpp"

namespace invar {
namespace {

namespace fs = std::filesystem;
using Kind = RunLock::State::Kind;

class RunLocks : public testing::Test {
 protected:
  std::string complaint() const {
    try {
      const RunLock lock(folder);
    } catch (const BusyError& e) {
      return e.what();
    }
    return "";
  }
  /// The lock of a process on another machine, whose last heartbeat was `age` seconds ago.
  void foreign_lock(double age, const std::string& name = "lock.1.json") const {
    LockHolder other;
    other.host = "node7";
    other.machine = "another boot";
    other.pid = 4711;
    other.job = "12_3";
    other.restarts = 2;
    other.since = "2026-01-01T00:00:00Z";
    other.beat = 10;
    std::ofstream(folder / name) << other.json();
    set_age(folder / name, age);
  }
  static void set_age(const fs::path& file, double age) {
    timespec times[2];
    clock_gettime(CLOCK_REALTIME, &times[1]);
    times[1].tv_sec -= static_cast<time_t>(age);
    times[0] = times[1];
    ASSERT_EQ(utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
  }
  /// A child that runs `work` and ends with its value, without what gtest does at the end.
  template <class Work>
  static pid_t child_that(Work&& work) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work());
    return child;
  }
  static int end_of(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  std::size_t files() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator())); }

  spec::TemporaryFolder temporary;
  fs::path folder = temporary.path;
};

TEST_F(RunLocks, ASecondOneIsRefusedAndToldWhoIsThere) {
  {
    const RunLock lock(folder);
    const std::string said = complaint();
    EXPECT_NE(said.find("is in use by pid " + std::to_string(::getpid()) + " on "), std::string::npos) << said;
    EXPECT_EQ(RunLock::look(folder).kind, Kind::live);
    EXPECT_EQ(files(), 1u) << "no draft is left";
  }
  EXPECT_EQ(files(), 0u);
  EXPECT_EQ(complaint(), "");
}

TEST_F(RunLocks, OneOfAnotherMachineCountsUntilItIsSilentForThreeBeats) {
  foreign_lock(25);
  EXPECT_NE(complaint().find("is in use by pid 4711 on node7 (Slurm job 12_3, restarted 2 times) since 2026-01-01T00:00:00Z, whose last heartbeat was 25 s ago"),
            std::string::npos)
      << complaint();
  foreign_lock(31);
  EXPECT_EQ(RunLock::look(folder).kind, Kind::stale);
  EXPECT_EQ(complaint(), "");
  EXPECT_EQ(files(), 0u);
}

TEST_F(RunLocks, OneOfAKilledProcessIsTakenOverAtOnce) {
  const pid_t child = child_that([&] {
    const RunLock lock(folder);
    ::pause();
    return 0;
  });
  for (int i = 0; i < 1000 && RunLock::look(folder).kind == Kind::none; ++i) ::usleep(5000);
  EXPECT_NE(complaint().find("pid " + std::to_string(child)), std::string::npos);
  ::kill(child, SIGKILL);
  // nobody has waited for it yet
  for (int i = 0; i < 1000 && RunLock::look(folder).kind != Kind::stale; ++i) ::usleep(5000);
  {
    const RunLock lock(folder);
    EXPECT_EQ(RunLock::look(folder).number, 2);
    EXPECT_EQ(RunLock::look(folder).holder.pid, ::getpid());
  }
  EXPECT_EQ(end_of(child), -SIGKILL);
  EXPECT_EQ(files(), 0u) << "the stale one goes with the new one";
}

TEST_F(RunLocks, AnotherProcessOfTheSameNumberIsNotTheHolder) {
  LockHolder before = LockHolder::this_process(10);
  before.born = "1";
  std::ofstream(folder / "lock.1.json") << before.json();
  EXPECT_EQ(complaint(), "");
}

TEST_F(RunLocks, OfManyThatFindAStaleOneOneTakesItOver) {
  for (int round = 0; round < 20; ++round) {
    foreign_lock(100);
    int gate[2], tried[2], hold[2];
    ASSERT_EQ(::pipe(gate) | ::pipe(tried) | ::pipe(hold), 0);
    std::vector<pid_t> children;
    for (int k = 0; k < 6; ++k)
      children.push_back(child_that([&] {
        ::close(gate[1]);
        ::close(hold[1]);
        char none;
        if (::read(gate[0], &none, 1) != 0) return 9;  // all begin when the gate closes
        const auto has_tried = [&] { return ::write(tried[1], "", 1) == 1 && ::close(tried[1]) == 0; };
        try {
          const RunLock lock(folder);
          return has_tried() && ::read(hold[0], &none, 1) == 0 ? 0 : 9;  // and hold until all have tried
        } catch (const BusyError&) {
          return has_tried() ? 1 : 9;
        }
      }));
    ::close(gate[0]);
    ::close(hold[0]);
    ::close(gate[1]);
    ::close(tried[1]);
    char byte;
    for (std::size_t k = 0; k < children.size(); ++k) EXPECT_EQ(::read(tried[0], &byte, 1), 1);
    ::close(tried[0]);
    ::close(hold[1]);
    int winners = 0;
    for (const pid_t child : children) {
      const int code = end_of(child);
      EXPECT_TRUE(code == 0 || code == 1) << code;
      winners += code == 0;
    }
    EXPECT_GE(winners, 1);
    EXPECT_LE(winners, 1);
    EXPECT_EQ(files(), 0u);
  }
}

TEST_F(RunLocks, ShowsLifeWhileItIsHeld) {
  std::atomic<bool> lost = false;
  const RunLock lock(folder, [&] { lost = true; }, 0.02);
  set_age(folder / "lock.1.json", 500);
  for (int i = 0; i < 500 && RunLock::look(folder).age > 400; ++i) ::usleep(10'000);
  EXPECT_LT(RunLock::look(folder).age, 400);
  EXPECT_FALSE(lost);
  EXPECT_NO_THROW(lock.require());
}

TEST_F(RunLocks, LearnsThatAnotherHasTakenOver) {
  std::atomic<bool> lost = false;
  const RunLock lock(folder, [&] { lost = true; }, 0.02);
  foreign_lock(0, "lock.2.json");
  for (int i = 0; i < 500 && !lost; ++i) ::usleep(10'000);
  EXPECT_TRUE(lost);
  try {
    lock.require();
    ADD_FAILURE() << "it is not its own any more";
  } catch (const BusyError& e) {
    EXPECT_NE(std::string(e.what()).find("was taken over by pid 4711 on node7"), std::string::npos) << e.what();
  }
}

TEST_F(RunLocks, StatesOfRunsComeFromThem) {
  std::ofstream(folder / "run.json") << RunRecord().json();
  foreign_lock(5);
  EXPECT_EQ(RunState::of(folder).text(), "running: pid 4711 on node7 (Slurm job 12_3, restarted 2 times) since 2026-01-01T00:00:00Z");
  foreign_lock(60);
  EXPECT_EQ(RunState::of(folder).kind, RunState::Kind::waiting);
  EXPECT_NE(RunState::of(folder).text().find("waiting, preempted 1 time: stale: pid 4711 on node7"), std::string::npos);
}

}  // namespace
}  // namespace invar
