#pragma once
#include <csignal>
#include <limits>

namespace invar {

/// While it lives, SIGINT, SIGTERM and SIGUSR1 are noted instead of ending the program, and so is the end of a time limit. A second SIGINT ends it;
/// the others may come again, because batch systems send one after the other and then SIGKILL. Several
/// at a time, of which the first ends last, share what they note; the time limit is that of the last one.
class Interruption {
 public:
  static constexpr int signal_count = 4;
  /// limit: wall-clock time from now, s; infinite: none.
  explicit Interruption(double limit = std::numeric_limits<double>::infinity());
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// Whether a signal has come, the limit has passed, or `ask` was called.
  bool asked() const;
  /// Seconds since then; 0 before.
  double seconds() const;
  /// As a signal does; from any thread.
  void ask();

  /// Records that a solve was aborted because of it, on this rank.
  void note_cut() const { cut_ = true; }
  /// Whether a solve was aborted: later failures are then not those of the problem.
  bool has_cut() const { return cut_; }

 private:
  struct sigaction before_[signal_count];
  mutable bool cut_ = false;
};

}  // namespace invar
