#pragma once
#include <csignal>

namespace invar {

/// While it lives, a first SIGINT or SIGTERM is noted instead of ending the program; a second one ends
/// it. One at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  bool asked() const;

 private:
  struct sigaction before_[2];
};

}  // namespace invar
