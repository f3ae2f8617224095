#pragma once
#include <algorithm>
#include <limits>

namespace invar {

/// Says when factors that precondition one solve after another are worn: when the last solve took more than the average
/// since they were made, or than a first solve once took, their making included in both. Of solves that take ever more
/// the average is then the least there is. Also where all took more than a first solve does by twice what the making costs:
/// factors of a state far off, as at a sudden start, may take the same work in each solve, and new ones would pay. Where the
/// work grows like a power of ½ or more with the number of solves, the average decides before. Work is counted, not timed, so
/// that a run always decides alike.
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
    if (solves_ == 0) first_ = std::min(first_, work);
    total_ += work;
    last_ = work;
    ++solves_;
  }
  bool worn() const {
    if (!(making_ > 0)) return true;
    return solves_ > 1 && (last_ > making_ + first_ || last_ * solves_ > making_ + total_ || total_ - solves_ * first_ > 2 * making_);
  }

 private:
  double making_ = 0, total_ = 0, last_ = 0;
  double first_ = std::numeric_limits<double>::max();  // the least that a first solve on new factors took
  int solves_ = 0;
};

}  // namespace invar
