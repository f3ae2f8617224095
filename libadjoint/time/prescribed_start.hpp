#pragma once
#include <algorithm>
#include <array>
#include <cmath>

#include "libadjoint/evaluation_point.hpp"
#include "libadjoint/level.hpp"

namespace invar {

/// Rate and acceleration, at the start of time, of a function that is known by its values: those of the polynomial of
/// fourth degree through five values in the first step. Errors are O(h⁴) and O(h³), below those of the schemes.
class PrescribedStart {
 public:
  static constexpr int points = 5;

  /// The point k = 0, …, 4 of a step that begins with a setting; its length is that of the setting.
  static double time(const Setting& given, int k) { return given.constraint_time + given.step_length * k / (points - 1); }

  /// The derivative is Σ_k weight(k) (f_k − f_0) [1/s, 1/s²]; zero where the setting has no step.
  static double weight(Level level, const Setting& given, int k) {
    constexpr std::array<double, points> rate{-25. / 12, 4, -3, 4. / 3, -1. / 4};
    constexpr std::array<double, points> acceleration{35. / 12, -26. / 3, 19. / 2, -14. / 3, 11. / 12};
    const double spacing = given.step_length / (points - 1);
    if (spacing <= 0) return 0;
    if (level == Level::rate) return rate[k] / spacing;
    return level == Level::acceleration ? acceleration[k] / (spacing * spacing) : 0.0;
  }

  /// False: the first value is not what the others lead back to, as where a motion jumps when time begins. Such a
  /// function has no rate.
  static bool is_smooth(const std::array<double, points>& f) {
    double change = 0;
    for (double value : f) change = std::max(change, std::abs(value - f[0]));
    return std::abs(4 * f[1] - 6 * f[2] + 4 * f[3] - f[4] - f[0]) <= 0.1 * change;
  }
};

}  // namespace invar
