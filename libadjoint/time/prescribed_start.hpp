#pragma once
#include <algorithm>
#include <array>
#include <cmath>

#include "libadjoint/evaluation_point.hpp"
#include "libadjoint/level.hpp"

namespace invar {

/// Rate and acceleration, at the start of time, of a function that is known by its values: those of the polynomial of
/// fourth degree through five values in the first sixteenth of the first step. Errors are O(h⁴) and O(h³), below those of
/// the schemes, for steps that are shortened too; rounding leaves 1e-12/h² of the acceleration of values of size 1.
class PrescribedStart {
 public:
  static constexpr int points = 5;

  /// The point k = 0, …, 4 of a step that begins with a setting; its length is that of the setting.
  static double time(const Setting& given, int k) { return given.constraint_time + k * spacing(given); }

  /// Of f_k − f_0 in a rate or an acceleration [1/s, 1/s²]; zero where the setting has no step.
  static double weight(Level level, const Setting& given, int k) {
    constexpr std::array<double, points> rate{-25. / 12, 4, -3, 4. / 3, -1. / 4};
    constexpr std::array<double, points> acceleration{35. / 12, -26. / 3, 19. / 2, -14. / 3, 11. / 12};
    const double apart = spacing(given);
    if (apart <= 0) return 0;
    if (level == Level::rate) return rate[k] / apart;
    return level == Level::acceleration ? acceleration[k] / (apart * apart) : 0.0;
  }

  /// Σ_k weight(k) (f_k − f_0), or zero where f is not smooth.
  static double derivative(Level level, const Setting& given, const std::array<double, points>& f) {
    if (!is_smooth(f)) return 0;
    double sum = 0;
    for (int k = 1; k < points; ++k) sum += weight(level, given, k) * (f[k] - f[0]);
    return sum;
  }

  /// False: the first value is not what the others lead back to, as where a motion jumps when time begins. Such a
  /// function has no rate. The fourth difference is 1 of the change for a jump and 0.2 for a square root; for what a step
  /// resolves, sin ω t with ω h ≤ 1, it is below 1e-4.
  static bool is_smooth(const std::array<double, points>& f) {
    double change = 0;
    for (double value : f) change = std::max(change, std::abs(value - f[0]));
    return std::abs(4 * f[1] - 6 * f[2] + 4 * f[3] - f[4] - f[0]) <= 0.1 * change;
  }

 private:
  static double spacing(const Setting& given) { return given.step_length / (16 * (points - 1)); }
};

}  // namespace invar
