#include "apps/invar/picture/process.hpp"

#include <fcntl.h>
#include <fenv.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace invar {
namespace {

using namespace std::chrono_literals;

TEST(PictureProcess, HandsBackWhatTheChildMade) {
  std::string large(5'000'000, 'a');  // far more than a pipe holds
  large[4'321'000] = '\0';
  const ChildReply reply = run_in_child([&] { return large; }, 20s);
  EXPECT_TRUE(reply.data == large);
  EXPECT_EQ(reply.failure, "");
}

TEST(PictureProcess, AnEmptyStringIsNoFailure) {
  const ChildReply reply = run_in_child([] { return std::string(); }, 20s);
  EXPECT_EQ(reply.failure, "");
  EXPECT_EQ(reply.data, "");
}

TEST(PictureProcess, AnExceptionBecomesItsMessage) {
  const ChildReply reply =
      run_in_child([]() -> std::string { throw std::runtime_error("no such field"); }, 20s);
  EXPECT_EQ(reply.failure, "no such field");
  EXPECT_EQ(run_in_child([]() -> std::string { throw 1; }, 20s).failure, "an unknown error");
}

// PETSc's handlers, which would end the whole MPI run, are in place here: the test's main starts PETSc.
TEST(PictureProcess, SurvivesCrashes) {
  const ChildReply segmentation = run_in_child([]() -> std::string { ::raise(SIGSEGV); return "x"; }, 20s);
  EXPECT_NE(segmentation.failure.find("Segmentation fault"), std::string::npos) << segmentation.failure;
  const ChildReply aborted = run_in_child([]() -> std::string { std::abort(); }, 20s);
  EXPECT_NE(aborted.failure.find("Aborted"), std::string::npos) << aborted.failure;
  const ChildReply silent = run_in_child([]() -> std::string { ::_exit(0); }, 20s);
  EXPECT_EQ(silent.failure, "ended without an answer");
  EXPECT_TRUE(silent.data.empty());
}

TEST(PictureProcess, StopsAChildThatTakesTooLong) {
  const auto start = std::chrono::steady_clock::now();
  const ChildReply reply = run_in_child([]() -> std::string { for (;;) ::pause(); }, 300ms);
  const auto taken = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(reply.failure, "not done after 0.3 s");
  EXPECT_GE(taken, 300ms);
  EXPECT_LT(taken, 10s);
}

// As one that waits for a lock which another thread of the parent held at the fork.
TEST(PictureProcess, TriesAgainWhereAChildHangs) {
  int first[2];  // the first child takes the only byte
  ASSERT_EQ(::pipe2(first, O_NONBLOCK), 0);
  ASSERT_EQ(::write(first[1], "1", 1), 1);
  const ChildReply reply = run_in_child(
      [&]() -> std::string {
        for (char c; ::read(first[0], &c, 1) == 1;)
          for (;;) ::pause();
        return "done";
      },
      2s);
  EXPECT_EQ(reply.data, "done") << reply.failure;
  ::close(first[0]), ::close(first[1]);
}

TEST(PictureProcess, LeavesNoZombie) {
  run_in_child([] { return std::string("done"); }, 20s);
  run_in_child([]() -> std::string { std::abort(); }, 20s);
  EXPECT_LE(::waitpid(-1, nullptr, WNOHANG), 0);  // MPI may have a child that lives
}

// What a driver prints is not for the user's terminal, and what the parent has not flushed stays its own.
TEST(PictureProcess, TheChildIsSilent) {
  testing::internal::CaptureStdout();
  std::printf("once");
  run_in_child([] { std::puts("a driver's chatter"); std::fflush(stdout); return std::string(); }, 20s);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "once");
}

TEST(PictureProcess, ArithmeticDoesNotTrapInTheChild) {
  ::feenableexcept(FE_DIVBYZERO | FE_INVALID);
  const ChildReply reply = run_in_child(
      [] {
        volatile double zero = 0;
        const double infinite = 1 / zero;
        return std::string(infinite > 0 ? "went on" : "odd");
      },
      20s);
  ::fedisableexcept(FE_ALL_EXCEPT);
  EXPECT_EQ(reply.data, "went on") << reply.failure;
}

}  // namespace
}  // namespace invar
