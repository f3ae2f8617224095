#pragma once
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Grades the cells of a rectangle or box of first order along an axis, on which it reaches from `from` to `to`: cells in the middle are about `ratio`
/// times longer than those at both ends; 1: unchanged. x = tanh(g s)/tanh(g) for s, x in [−1, 1], whose slope falls by cosh² g from the middle to
/// the ends.
inline void grade_box(Mesh& mesh, int axis, double from, double to, double ratio) {
  if (ratio == 1) return;
  const double g = std::acosh(std::sqrt(ratio)), middle = 0.5 * (from + to), half = 0.5 * (to - from);
  for (std::size_t n = static_cast<std::size_t>(axis); n < mesh.coordinates.size(); n += static_cast<std::size_t>(mesh.dim))
    mesh.coordinates[n] = middle + half * std::tanh(g * (mesh.coordinates[n] - middle) / half) / std::tanh(g);
}

/// Maps a mesh of the unit square to the quadrilateral with these corners, left bottom, right bottom, right top, left top (bilinear). Throws
/// std::invalid_argument unless it is convex and the corners are counterclockwise.
inline void map_square(Mesh& mesh, const std::vector<std::array<double, 2>>& corners) {
  bool convex = corners.size() == 4;
  for (std::size_t i = 0; convex && i < 4; ++i) {
    const auto &a = corners[i], &b = corners[(i + 1) % 4], &d = corners[(i + 2) % 4];
    convex = (b[0] - a[0]) * (d[1] - b[1]) - (b[1] - a[1]) * (d[0] - b[0]) > 0;
  }
  if (!convex) throw std::invalid_argument("the corners must be those of a convex quadrilateral, counterclockwise: left bottom, right bottom, right top, left top");
  for (std::size_t n = 0; n + 1 < mesh.coordinates.size(); n += 2) {
    const double s = mesh.coordinates[n], t = mesh.coordinates[n + 1];
    const double weight[4] = {(1 - s) * (1 - t), s * (1 - t), s * t, (1 - s) * t};
    for (std::size_t i = 0; i < 2; ++i) {
      mesh.coordinates[n + i] = 0;
      for (std::size_t c = 0; c < 4; ++c) mesh.coordinates[n + i] += weight[c] * corners[c][i];
    }
  }
}

}  // namespace invar
