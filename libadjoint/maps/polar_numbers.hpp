#pragma once
#include <array>
#include <cmath>
#include <numbers>

namespace invar {

/// Two controls that are functions of two others: x = r cos φ, y = r sin φ, with φ in degrees. Members are positions of
/// controls. Derivatives by x and y are passed on to r and φ, exactly to second order.
struct PolarNumbers {
  int case_index = 0;
  int radius = -1, angle = -1;  // may be designed
  int x = -1, y = -1;           // dependent

  static constexpr double degree = std::numbers::pi / 180;

  /// (x, y) at (r, φ).
  static std::array<double, 2> values(double r, double phi) {
    return {r * std::cos(degree * phi), r * std::sin(degree * phi)};
  }
  /// Rates of (x, y) for given rates of (r, φ).
  static std::array<double, 2> jvp(double r, double phi, double r_dot, double phi_dot) {
    const double c = std::cos(degree * phi), s = std::sin(degree * phi), turn = degree * phi_dot;
    return {r_dot * c - r * s * turn, r_dot * s + r * c * turn};
  }
  /// (r̄, φ̄) = Jacobianᵀ (x̄, ȳ).
  static std::array<double, 2> vjp(double r, double phi, double x_bar, double y_bar) {
    const double c = std::cos(degree * phi), s = std::sin(degree * phi);
    return {c * x_bar + s * y_bar, degree * r * (c * y_bar - s * x_bar)};
  }
  /// Derivative of `vjp` along (ṙ, φ̇) at fixed (x̄, ȳ).
  static std::array<double, 2> vjp_tangent(double r, double phi, double x_bar, double y_bar, double r_dot, double phi_dot) {
    const double c = std::cos(degree * phi), s = std::sin(degree * phi), turn = degree * phi_dot;
    const double along = c * x_bar + s * y_bar, across = c * y_bar - s * x_bar;
    return {across * turn, degree * (r_dot * across - r * along * turn)};
  }
};

}  // namespace invar
