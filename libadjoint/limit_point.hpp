#pragma once
#include <cmath>
#include <limits>
#include <optional>

namespace invar {

/// Sees a limit point of the load t coming: before it the state moves ever faster, |du/dt|⁻² falling linearly to zero
/// at the limit (a fold: u − u_c ∝ √(t_c − t)). After the stiffness parameter of P. G. Bergan et al., Solution
/// techniques for non-linear finite element problems, Int. J. Numer. Meth. Eng. 12 (1978).
class LimitPoint {
 public:
  void clear() { *this = LimitPoint(); }
  /// An equilibrium at t and the speed |du/dt| there; one at the same t as the last takes its place.
  void add(double t, double speed) {
    const double now = 1 / (speed * speed);
    if (t != last_.t) before_ = last_;
    last_ = {t, now};
  }
  /// The limit that the last two equilibria point to, where they do.
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
