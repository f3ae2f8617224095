#pragma once

namespace invar {

/// Says when factors that precondition one solve after another are worn: when what the last solve took is more than the
/// average since they were made, their making included. That average is then the least there is, as long as each solve
/// takes at least as much as the one before. Work is counted, not timed, so that a run always decides alike.
class FactorPace {
 public:
  /// New factors, whose making cost so many Krylov iterations; 0: not known, and they are worn at once.
  void restart(double making) {
    total_ = last_ = 0;
    making_ = making;
    solves_ = 0;
  }
  /// A solve took this much work on them, in Krylov iterations.
  void add(double work) {
    total_ += work;
    last_ = work;
    ++solves_;
  }
  bool worn() const { return !(making_ > 0) || (solves_ > 0 && last_ * solves_ > making_ + total_); }

 private:
  double making_ = 0, total_ = 0, last_ = 0;
  int solves_ = 0;
};

}  // namespace invar
