#pragma once
#include <algorithm>
#include <array>
#include <cmath>

#include "libadjoint/evaluation_point.hpp"
#include "libadjoint/level.hpp"

namespace invar {

/// Initial rate and acceleration of a function of which only values are known, from the polynomial of degree four
/// through five values in the first sixteenth of the first step. Errors are O(h⁴) and O(h³), below those of the
/// schemes, also for shortened steps; round-off in the acceleration is 1e-12/h² for values of size 1.
class PrescribedStart {
 public:
  static constexpr int points = 5;

  /// Time of sample k = 0, …, 4 for a step that starts with the given setting.
  static double time(const Setting& given, int k) { return given.constraint_time + k * spacing(given); }

  /// Weight of f_k − f_0 in a rate or acceleration [1/s, 1/s²]; zero if the setting has no step length.
  static double weight(Level level, const Setting& given, int k) {
    constexpr std::array<double, points> rate{-25. / 12, 4, -3, 4. / 3, -1. / 4};
    constexpr std::array<double, points> acceleration{35. / 12, -26. / 3, 19. / 2, -14. / 3, 11. / 12};
    const double apart = spacing(given);
    if (apart <= 0) return 0;
    if (level == Level::rate) return rate[k] / apart;
    return level == Level::acceleration ? acceleration[k] / (apart * apart) : 0.0;
  }

  /// Σ_k weight(k) (f_k − f_0), or zero if f is not smooth.
  static double derivative(Level level, const Setting& given, const std::array<double, points>& f) {
    if (!is_smooth(f)) return 0;
    double sum = 0;
    for (int k = 1; k < points; ++k) sum += weight(level, given, k) * (f[k] - f[0]);
    return sum;
  }

  /// False if the first value does not continue the others, as for a motion that jumps at the start; such a function
  /// has no rate. The fourth difference relative to the change is 1 for a jump, 0.2 for a square root, and below 1e-4
  /// for a resolved function, sin ω t with ω h ≤ 1.
  static bool is_smooth(const std::array<double, points>& f) {
    double change = 0;
    for (double value : f) change = std::max(change, std::abs(value - f[0]));
    return std::abs(4 * f[1] - 6 * f[2] + 4 * f[3] - f[4] - f[0]) <= 0.1 * change;
  }

 private:
  static double spacing(const Setting& given) { return given.step_length / (16 * (points - 1)); }
};

}  // namespace invar
