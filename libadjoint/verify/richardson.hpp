#pragma once
#include <limits>
#include <vector>

namespace invar {

/// Richardson extrapolation to h = 0 of values at falling steps h, with an estimate of the error (after Ridders, Advances
/// in Engineering Software 4, 1982): of all extrapolated values the one with the least error is taken, which is the
/// distance from the value of greater steps that it improves, at least a quarter of what its forerunners had, and the
/// round-off of the value. Where values of different steps disagree (kinks, jumps), that is then the error. An estimate,
/// no bound.
class Richardson {
 public:
  /// The values' errors are a series of h^first, h^(first + step), h^(first + 2 step), …
  Richardson(int first, int step) : first_(first), step_(step) {}

  /// A value at h, below the h before, and what round-off leaves uncertain in it.
  void add(double h, double value, double round_off);
  /// The next value is not at hand: extrapolation begins anew behind it, and the best so far stays.
  void skip() { before_.clear(); }

  double value() const { return value_; }  // NaN until two values in a row have been added
  double error() const { return error_; }  // estimate of |value − limit|

 private:
  int first_, step_;
  std::vector<double> before_;  // values of the last step, extrapolated 0, 1, 2 … times
  double h_before_ = 0;
  double value_ = std::numeric_limits<double>::quiet_NaN();
  double error_ = std::numeric_limits<double>::infinity();
};

}  // namespace invar
