#pragma once
#include <string>
#include <vector>

namespace invar {

/// Functions of time that a control is a sum of, f(t) = Σ_i c_i φ_i(t), on an interval of time.
///   constant   piecewise constant on equal intervals
///   linear     piecewise linear between equidistant knots, both ends included
///   cubic      clamped uniform cubic B-spline (de Boor, A Practical Guide to Splines)
///   fourier    1, then cos and sin of 2π k (t − begin) / (end − begin), k = 1, 2, …
/// Outside the interval f keeps the value at its end; a Fourier sum goes on.
class TimeBasis {
 public:
  enum class Kind { constant, linear, cubic, fourier };
  /// size: number of functions. Throws std::invalid_argument where the kind needs more, or an odd number.
  TimeBasis(Kind kind, int size, double begin, double end);

  int size() const { return size_; }
  /// φ_i(t), [size].
  std::vector<double> values(double t) const;

 private:
  Kind kind_;
  int size_;
  double begin_, end_;
};

}  // namespace invar
