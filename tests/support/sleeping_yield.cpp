#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <ctime>

/// In place of the C library's, for ranks that wait for each other (tests preload it; Open MPI calls it between two looks at its queues). Alone on
/// the machine, ranks of small problems that yield to each other are the fastest. Beside anything else a yield lasts a time slice of
/// milliseconds, and a test of 3 s takes minutes: after one such yield the rank sleeps instead of the next ones.
extern "C" int sched_yield() noexcept {
  using Clock = std::chrono::steady_clock;
  thread_local int sleeps = 0;
  if (sleeps > 0) {
    --sleeps;
    constexpr timespec pause = {0, 20'000};
    ::nanosleep(&pause, nullptr);
    return 0;
  }
  const Clock::time_point start = Clock::now();
  ::syscall(SYS_sched_yield);
  if (Clock::now() - start > std::chrono::microseconds(200)) {
    sleeps = 500;
    ::prctl(PR_SET_TIMERSLACK, 1UL);  // sleeps of 20 µs would last 70
  }
  return 0;
}
