#include "apps/invar/picture/colours.hpp"

#include <algorithm>

namespace invar {

std::array<double, 3> viridis(double t) {
  // Every 15th of the 256 colours of the map.
  static constexpr double colours[18][3] = {
      {0.267, 0.005, 0.329}, {0.282, 0.090, 0.412}, {0.280, 0.166, 0.476}, {0.264, 0.238, 0.519},
      {0.237, 0.305, 0.542}, {0.209, 0.368, 0.553}, {0.182, 0.426, 0.557}, {0.159, 0.482, 0.558},
      {0.138, 0.537, 0.555}, {0.121, 0.593, 0.545}, {0.128, 0.648, 0.523}, {0.181, 0.701, 0.488},
      {0.274, 0.752, 0.437}, {0.395, 0.797, 0.368}, {0.536, 0.836, 0.282}, {0.689, 0.865, 0.183},
      {0.846, 0.887, 0.100}, {0.993, 0.906, 0.144}};
  const double s = 17 * std::clamp(t, 0.0, 1.0);
  const int i = std::min(static_cast<int>(s), 16);
  const double x = s - i;
  std::array<double, 3> colour;
  for (int c = 0; c < 3; ++c) {  // Catmull-Rom: kinks of a linear interpolation would be visible as bands
    const double a = colours[i][c], b = colours[i + 1][c];
    const double slope_a = i > 0 ? (b - colours[i - 1][c]) / 2 : b - a;
    const double slope_b = i < 16 ? (colours[i + 2][c] - a) / 2 : b - a;
    const double square = 3 * (b - a) - 2 * slope_a - slope_b, cube = 2 * (a - b) + slope_a + slope_b;
    colour[c] = std::clamp(a + x * (slope_a + x * (square + x * cube)), 0.0, 1.0);
  }
  return colour;
}

}  // namespace invar
