#pragma once
#include <array>
#include <cmath>
#include <numbers>

namespace invar {

/// Two numbers of a case that follow from two others: x = r cos φ, y = r sin φ, with φ in degrees. Members are
/// positions of controls. What is asked of x and y is passed on to r and φ with exact first and second derivatives.
struct PolarNumbers {
  int case_index = 0;
  int radius = -1, angle = -1;  // may be designed
  int x = -1, y = -1;           // follow

  static constexpr double degree = std::numbers::pi / 180;

  /// (x, y) at (r, φ).
  static std::array<double, 2> values(double r, double phi) {
    return {r * std::cos(degree * phi), r * std::sin(degree * phi)};
  }
  /// The movement of (x, y) as (r, φ) move.
  static std::array<double, 2> jvp(double r, double phi, double r_dot, double phi_dot) {
    const double c = std::cos(degree * phi), s = std::sin(degree * phi), turn = degree * phi_dot;
    return {r_dot * c - r * s * turn, r_dot * s + r * c * turn};
  }
  /// (r̄, φ̄) of (x̄, ȳ).
  static std::array<double, 2> vjp(double r, double phi, double x_bar, double y_bar) {
    const double c = std::cos(degree * phi), s = std::sin(degree * phi);
    return {c * x_bar + s * y_bar, degree * r * (c * y_bar - s * x_bar)};
  }
  /// How those move with (r, φ) alone.
  static std::array<double, 2> vjp_tangent(double r, double phi, double x_bar, double y_bar, double r_dot, double phi_dot) {
    const double c = std::cos(degree * phi), s = std::sin(degree * phi), turn = degree * phi_dot;
    const double along = c * x_bar + s * y_bar, across = c * y_bar - s * x_bar;
    return {across * turn, degree * (r_dot * across - r * along * turn)};
  }
};

}  // namespace invar
