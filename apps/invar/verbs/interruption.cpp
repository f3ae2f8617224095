#include "apps/invar/verbs/interruption.hpp"

namespace invar {
namespace {

volatile std::sig_atomic_t signalled = 0;  // all that a signal's handler can reach
constexpr int signals[Interruption::signal_count] = {SIGINT, SIGTERM, SIGUSR1};

extern "C" void note_signal(int) { signalled = 1; }

}  // namespace

Interruption::Interruption() {
  signalled = 0;
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
