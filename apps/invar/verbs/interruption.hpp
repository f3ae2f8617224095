#pragma once
#include <csignal>

namespace invar {

/// While it lives, a first SIGINT, SIGTERM or SIGUSR1 (which Slurm can send before the time is up) is noted instead of ending the program; a second one ends
/// it. One at a time.
class Interruption {
 public:
  static constexpr int signal_count = 3;
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  bool asked() const;

 private:
  struct sigaction before_[signal_count];
};

}  // namespace invar
