#pragma once
#include <vector>

namespace invar {

/// B-splines on [0, 1] with evenly spaced knots (de Boor, A Practical Guide to Splines). Clamped:
/// the ends of the curve are its outermost controls; with count = degree + 1 they are Bernstein's
/// polynomials. Periodic: s = 0 and s = 1 are one point.
class SplineBasis {
 public:
  /// Throw std::invalid_argument unless count > degree ≥ 0.
  static SplineBasis clamped(int degree, int count) { return {degree, count, false}; }
  static SplineBasis periodic(int degree, int count) { return {degree, count, true}; }

  int degree() const { return degree_; }
  int count() const { return count_; }

  /// The degree + 1 functions that do not vanish at a point.
  struct Support {
    std::vector<int> index;     // of the control, 0 … count − 1
    std::vector<double> value;  // ≥ 0, sum 1
  };
  /// s: clamped into [0, 1], or wrapped where periodic.
  Support at(double s) const;
  /// Greville's abscissa, where control i acts most: with the abscissae as controls a clamped spline
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
