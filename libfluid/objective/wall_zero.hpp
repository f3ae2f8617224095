#pragma once
#include <optional>

#include "libfluid/objective/wall_points.hpp"

namespace invar {

/// A coordinate [m] of a separation or reattachment point: a sign change of the shear along a wall in 2-D. The shear rate is linear between
/// neighbouring Gauss points, r(s) = r_a + s (r_b − r_a), so the position is that of `shear_zeros`,
///   x = x_a + s (x_b − x_a),   s = r_a/(r_a − r_b),
/// and is differentiated as this formula (the implicit function theorem for r = 0). It is smooth until the zero passes a Gauss point; there
/// the derivative jumps with the slope of the rate. NaN if the wall has no such point.
class WallZero final : public Observable {
 public:
  /// number: of the zero, counted along the wall from 0; nothing: the last one.
  WallZero(std::shared_ptr<WallPoints> points, int component, std::optional<int> number)
      : points_(std::move(points)), component_(component), number_(number) {}

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  /// The numbers of all points, and the indices of x_a, r_a, x_b, r_b; nothing without a zero.
  std::optional<std::array<int, 4>> find(const EvaluationPoint& u, std::vector<double>& y) const;

  std::shared_ptr<WallPoints> points_;
  int component_;
  std::optional<int> number_;
};

}  // namespace invar
