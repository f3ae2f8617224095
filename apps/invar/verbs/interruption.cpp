#include "apps/invar/verbs/interruption.hpp"

#include <mpi.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <ctime>

namespace invar {
namespace {

// nanoseconds of the monotonic clock, 0: not asked; all that a signal's handler can reach
std::atomic<long long> asked_at = 0;
static_assert(std::atomic<long long>::is_always_lock_free);
constexpr int signals[Interruption::signal_count] = {SIGINT, SIGTERM, SIGUSR1, SIGALRM};

int alive = 0;                         // objects

volatile std::sig_atomic_t speaks = 0;  // of several ranks the first

long long nanoseconds_now() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1'000'000'000LL * now.tv_sec + now.tv_nsec;
}

/// Starts the clock whose end is SIGALRM; 0 stops it.
void set_clock(double seconds) {
  const double whole = std::floor(seconds);
  itimerval clock{};
  clock.it_value.tv_sec = static_cast<time_t>(whole);
  clock.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - whole));
  setitimer(ITIMER_REAL, &clock, nullptr);
}

extern "C" void note_signal(int which) {
  const int error = errno;
  long long none = 0;
  const bool first = asked_at.compare_exchange_strong(none, nanoseconds_now());
  constexpr char text[] = "\ninterrupted: the run ends after the current operation, e.g. a factorisation, and a checkpoint; a second Ctrl-C ends it at once\n";
  constexpr char limit[] = "\nthe time limit is reached: the run ends after the current operation, e.g. a factorisation, and a checkpoint\n";
  if (first && speaks && (which == SIGALRM ? ::write(STDERR_FILENO, limit, sizeof limit - 1) : ::write(STDERR_FILENO, text, sizeof text - 1)) < 0) {}
  errno = error;
}

}  // namespace

Interruption::Interruption(double limit) {
  if (alive++ == 0) asked_at = 0;
  int rank = 0, running = 0;
  MPI_Initialized(&running);
  if (running) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  speaks = rank == 0;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  for (int i = 0; i < signal_count; ++i) {
    action.sa_flags = SA_RESTART | (signals[i] == SIGINT ? SA_RESETHAND : 0);
    sigaction(signals[i], &action, &before_[i]);
  }
  if (std::isfinite(limit)) set_clock(limit);
}

Interruption::~Interruption() {
  if (--alive == 0) set_clock(0);
  for (int i = 0; i < signal_count; ++i) sigaction(signals[i], &before_[i], nullptr);
}

bool Interruption::asked() const { return asked_at != 0; }

double Interruption::seconds() const {
  const long long at = asked_at;
  return at == 0 ? 0 : 1e-9 * static_cast<double>(nanoseconds_now() - at);
}

void Interruption::ask() {
  long long none = 0;
  asked_at.compare_exchange_strong(none, nanoseconds_now());
}

}  // namespace invar
