#pragma once
#include <limits>
#include <vector>

namespace invar {

/// Richardson extrapolation to h = 0 of values at decreasing steps h, with an error estimate (after Ridders, Advances
/// in Engineering Software 4, 1982). The result is the extrapolated value with the smallest error estimate. The
/// estimate is the difference from the value at larger steps from which it was extrapolated, at least a quarter of that
/// value's own estimate, plus round-off. If values at different steps disagree (kinks, jumps), the estimate is their
/// difference. It is not a bound.
class Richardson {
 public:
  /// The errors of the values must be a series in h^first, h^(first + step), h^(first + 2 step), …
  Richardson(int first, int step) : first_(first), step_(step) {}

  /// Adds a value at h, smaller than the previous h, with its round-off error.
  void add(double h, double value, double round_off);
  /// The next value is missing: extrapolation restarts after it; the best value so far is kept.
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
