#pragma once
#include <vector>

namespace invar {

/// B-splines on [0, 1] with uniform knots (de Boor, A Practical Guide to Splines). Clamped: the ends of the curve are
/// its first and last control points; count = degree + 1 gives Bernstein polynomials. Periodic: s = 0 and s = 1 are the
/// same point.
class SplineBasis {
 public:
  /// Throw std::invalid_argument unless count > degree ≥ 0.
  static SplineBasis clamped(int degree, int count) { return {degree, count, false}; }
  static SplineBasis periodic(int degree, int count) { return {degree, count, true}; }

  int degree() const { return degree_; }
  int count() const { return count_; }

  /// The degree + 1 functions that are nonzero at a point.
  struct Support {
    std::vector<int> index;     // of the control, 0 … count − 1
    std::vector<double> value;  // ≥ 0, sum 1
  };
  /// s: clamped to [0, 1], or wrapped if periodic.
  Support at(double s) const;
  /// Greville abscissa of control i, near the maximum of its function: with the abscissae as controls a clamped spline
  /// is s itself.
  double abscissa(int i) const;

 private:
  SplineBasis(int degree, int count, bool periodic);
  int spans() const { return periodic_ ? count_ : count_ - degree_; }
  double knot(int k) const;  // left end of span k

  int degree_, count_;
  bool periodic_;
};

}  // namespace invar
