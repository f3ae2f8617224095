#pragma once
#include <cmath>
#include <numbers>
#include <vector>

#include "libfem/design/geometry/airfoil_chord.hpp"

namespace invar::test {

inline const AirfoilChord unit_chord({0, 0}, {1, 0});

/// Half the thickness of NACA's symmetric four-digit sections with a sharp trailing edge, chord 1
/// (E. N. Jacobs, K. E. Ward and R. M. Pinkerton, NACA Report 460, 1933; last coefficient 0.1036).
inline double naca_half_thickness(double x, double thickness) {
  return 5 * thickness * (0.2969 * std::sqrt(x) + x * (-0.1260 + x * (-0.3516 + x * (0.2843 - x * 0.1036))));
}

/// Points (x, ±y) at cosine-spaced stations, upper then lower side, both from edge to edge.
inline std::vector<double> naca_points(int n, double thickness) {
  std::vector<double> points;
  for (double side : {1.0, -1.0})
    for (int i = 0; i <= n; ++i) {
      const double x = i == n ? 1 : 0.5 * (1 - std::cos(std::numbers::pi * i / n));
      const double y = i == 0 || i == n ? 0 : naca_half_thickness(x, thickness);
      points.insert(points.end(), {x, side * y});
    }
  return points;
}

}  // namespace invar::test
