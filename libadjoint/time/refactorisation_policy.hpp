#pragma once
#include <algorithm>
#include <limits>

namespace invar {

/// Decides when to refactorise if one factorisation preconditions a sequence of solves. The factors are worn when the last solve took
/// more work than the average since the factorisation, or than the first solve on earlier factors took; both with the factorisation
/// included. While the work per solve increases, the average is then at its minimum. They are also worn when all solves together
/// exceeded first solves by twice the work of a factorisation: factors of a distant state, as at a sudden start, may take the same
/// excess work in every solve. If the work grows at least like the square root of the number of solves, the average decides first.
/// Work is counted, not timed, so that runs are reproducible.
class RefactorisationPolicy {
 public:
  /// New factors; making: work of the factorisation in Krylov iterations. 0: unknown, and the factors are worn at once.
  void restart(double making) {
    total_ = last_ = 0;
    making_ = making;
    solves_ = 0;
  }
  /// Adds a solve with these factors; work in Krylov iterations.
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
  double first_ = std::numeric_limits<double>::max();  // smallest work of a first solve with new factors
  int solves_ = 0;
};

}  // namespace invar
