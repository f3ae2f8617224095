#include "apps/invar/report/run_lock.hpp"
#include "tests/unit/app/swing.hpp"

namespace invar::test {
namespace {

/// Waits until the text says so; false after a minute.
template <class Condition>
bool eventually(Condition&& condition) {
  for (int i = 0; i < 12000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

std::string status_words(const Workplace& here, const std::string& folder) { return here.invar({"status", folder}).out; }

/// Whether the process has the lock of a run folder.
bool there_is_work_of(pid_t process, const fs::path& run) {
  const RunLock::State lock = RunLock::look(run);
  return lock.kind == RunLock::State::Kind::live && lock.holder.pid == process && json_of(run / "run.json")["exit_code"].is_null();
}

// A second process is refused with the name of the first and the exit code for a retry by a batch system; the first is not affected.
TEST(LockedRun, ASecondStarterOfAnyKindIsRefused) {
  const Workplace here;
  here.write("spec.yaml", swing_spec(5000, 1000));
  const pid_t first = here.start({"run", "spec.yaml", "--out", "r"});
  const std::string who = "is in use by pid " + std::to_string(first) + " on ";
  ASSERT_TRUE(eventually([&] { return fs::exists(here.folder() / "r/run.json"); }));
  const std::string log = content(here.folder() / "r/log.txt");
  const Workplace there;  // what starters say goes into a folder's files: another one's
  const std::string run = (here.folder() / "r").string(), spec = (here.folder() / "spec.yaml").string();
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"run", spec, "--out", run}, {"run", spec, "--out", run, "--resume"}, {"resume", run}, {"verify", run}}) {
    const Ended second = there.invar(command);
    EXPECT_EQ(second.code, 75) << command[0] << second.said();
    EXPECT_NE(second.err.find(who), std::string::npos) << command[0] << second.said();
  }
  EXPECT_NE(status_words(there, run).find("running: pid " + std::to_string(first) + " on "), std::string::npos);
  EXPECT_TRUE(content(here.folder() / "r/log.txt").starts_with(log));
  ::kill(first, SIGKILL);
  EXPECT_EQ(here.end_of(first).code, -SIGKILL);
  const std::string after = status_words(there, run);
  EXPECT_NE(after.find("waiting, preempted 1 time: stale: pid " + std::to_string(first)), std::string::npos) << after;
  const pid_t third = there.start({"resume", run});  // the dead one's lock is taken over at once
  ASSERT_TRUE(eventually([&] { return there_is_work_of(third, run); }));
  ::kill(third, SIGTERM);
  const Ended end = there.end_of(third);
  EXPECT_EQ(end.code, 75) << end.said();
  for (const auto& entry : fs::directory_iterator(run)) EXPECT_EQ(entry.path().filename().string().find("lock."), std::string::npos);
}

TEST(LockedRun, TwoSweepsAreNotInOneFolder) {
  const Workplace here, there;
  here.write("spec.yaml", swing_spec(5000, 1000));
  const std::string spec = (here.folder() / "spec.yaml").string(), folder = (here.folder() / "s").string();
  const std::vector<std::string> command = {"sweep", spec, "--out", folder, "--jobs", "1", "--over", "materials.rubber.density=1,1.1"};
  const pid_t first = here.start(command);
  ASSERT_TRUE(eventually([&] { return fs::exists(here.folder() / "s/runs/0001/run.json"); }));
  const Ended second = there.invar(command);
  EXPECT_EQ(second.code, 75) << second.said();
  EXPECT_NE(second.err.find("is in use by pid " + std::to_string(first)), std::string::npos) << second.err;
  const Ended task = there.invar({"run", folder, "--task", "1"});
  EXPECT_EQ(task.code, 75) << task.said();
  EXPECT_NE(task.err.find("s/runs/0001' is in use by pid"), std::string::npos) << task.err;
  ::kill(first, SIGTERM);
  const Ended end = here.end_of(first);
  EXPECT_EQ(end.code, 75) << end.said();
}

TEST(LockedRun, ResumesOnlyWhatIsLeft) {
  const Workplace here;
  here.write("spec.yaml", swing_spec(20, 2));
  const std::vector<std::string> command = {"run", "spec.yaml", "--out", "r", "--resume"};
  const Ended whole = here.invar(command);
  EXPECT_EQ(whole.code, 5) << whole.said();
  const std::string results = content(here.folder() / "r/results.json");
  const Ended again = here.invar(command);
  EXPECT_EQ(again.code, 5) << "it failed, and has still";
  EXPECT_NE(again.out.find("has failed: "), std::string::npos) << again.said();
  EXPECT_EQ(here.invar({"run", "spec.yaml", "--out", "r", "--resume", "--rerun", "failed"}).code, 5);
  EXPECT_EQ(content(here.folder() / "r/results.json"), results);
  here.write("spec.yaml", swing_spec(21, 2));
  const Ended other = here.invar(command);
  EXPECT_EQ(other.code, 2) << other.said();
  EXPECT_NE(other.err.find("began with another 'spec.yaml'"), std::string::npos) << other.err;
}

}  // namespace
}  // namespace invar::test
