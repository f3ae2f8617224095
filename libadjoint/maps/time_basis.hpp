#pragma once
#include <string>
#include <vector>

namespace invar {

/// Basis functions φ_i of a signal f(t) = Σ_i c_i φ_i(t) on a time interval.
///   constant   piecewise constant on equal intervals
///   linear     piecewise linear between equidistant knots, both ends included
///   cubic      clamped uniform cubic B-spline (de Boor, A Practical Guide to Splines)
///   fourier    1, then cos and sin of 2π k (t − begin) / (end − begin), k = 1, 2, …
/// Outside the interval f is constant, except for `fourier`, which is periodic.
class TimeBasis {
 public:
  enum class Kind { constant, linear, cubic, fourier };
  /// size: number of functions. Throws std::invalid_argument if it is too small for the kind, or even for `fourier`.
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
