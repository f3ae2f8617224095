#include "apps/invar/verbs/interruption.hpp"

#include <mpi.h>
#include <unistd.h>

namespace invar {
namespace {

volatile std::sig_atomic_t signalled = 0;  // all that a signal's handler can reach
constexpr int signals[Interruption::signal_count] = {SIGINT, SIGTERM, SIGUSR1};

volatile std::sig_atomic_t speaks = 0;     // of several ranks the first

extern "C" void note_signal(int) {
  signalled = 1;
  constexpr char text[] = "\ninterrupted: what is being solved ends first (a factorisation cannot be stopped); a second signal ends the program at once\n";
  if (speaks && ::write(STDERR_FILENO, text, sizeof text - 1) < 0) return;
}

}  // namespace

Interruption::Interruption() {
  signalled = 0;
  int rank = 0, running = 0;
  MPI_Initialized(&running);
  if (running) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  speaks = rank == 0;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  for (int i = 0; i < signal_count; ++i) sigaction(signals[i], &action, &before_[i]);
}

Interruption::~Interruption() {
  for (int i = 0; i < signal_count; ++i) sigaction(signals[i], &before_[i], nullptr);
}

bool Interruption::asked() const { return signalled != 0; }

}  // namespace invar
