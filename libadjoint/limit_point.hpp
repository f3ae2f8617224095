#pragma once
#include <cmath>
#include <limits>
#include <optional>

namespace invar {

/// Detects an approaching limit point of the load t: at a fold u − u_c ∝ √(t_c − t), so |du/dt|⁻² falls linearly to
/// zero. Follows the current stiffness parameter of P. G. Bergan et al., Solution techniques for non-linear finite
/// element problems, Int. J. Numer. Meth. Eng. 12 (1978).
class LimitPoint {
 public:
  void clear() { *this = LimitPoint(); }
  /// Adds an equilibrium at t with speed |du/dt|; it replaces the last one if t is the same.
  void add(double t, double speed) {
    const double now = 1 / (speed * speed);
    if (t != last_.t) before_ = last_;
    last_ = {t, now};
  }
  /// The limit load extrapolated from the last two equilibria, if |du/dt|⁻² decreases.
  std::optional<double> estimate() const {
    const double fall = before_.inverse_square - last_.inverse_square;
    if (!(fall > 0) || !std::isfinite(before_.t)) return std::nullopt;
    return last_.t + last_.inverse_square * (last_.t - before_.t) / fall;
  }

 private:
  struct Point {
    double t = std::numeric_limits<double>::quiet_NaN();
    double inverse_square = std::numeric_limits<double>::quiet_NaN();
  };
  Point before_, last_;
};

}  // namespace invar
