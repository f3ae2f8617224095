#include "libfem/design/geometry/piece_crossing.hpp"

#include <algorithm>
#include <cmath>

#include "libfem/math/tensor.hpp"

namespace invar {
namespace {

using Vec3 = Vector<double, 3>;
using Crossing = std::optional<std::array<double, 3>>;

/// Twice the area of a triangle after the projection along an axis, signed.
double area(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  return (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
}
bool same_side(double a, double b) { return (a > 0 && b > 0) || (a < 0 && b < 0); }
/// The zero of a function that is linear from p to q.
Vec3 between(const Vec3& p, const Vec3& q, double to_p, double to_q) { return p + (q - p) * (to_p / (to_p - to_q)); }

/// The centre of the intersection of the boxes of segments p–q and a–b, for collinear segments of their overlap. None if they are
/// disjoint in the projection along an axis.
std::optional<Vec3> middle_of_overlap(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, int axis) {
  Vec3 middle;
  for (int d = 0; d < 3; ++d) {
    const double low = std::max(std::min(p[d], q[d]), std::min(a[d], b[d]));
    const double high = std::min(std::max(p[d], q[d]), std::max(a[d], b[d]));
    if (d != axis && low > high) return {};
    middle[d] = 0.5 * (low + high);
  }
  return middle;
}

/// Intersection of coplanar segments p–q and a–b, in the projection along an axis. Consecutive segments on a line never intersect
/// by rounding, because their boxes are disjoint.
std::optional<Vec3> cross_segments(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, int axis) {
  const auto middle = middle_of_overlap(p, q, a, b, axis);
  if (!middle) return {};
  const double of_p = area(a, b, p, axis), of_q = area(a, b, q, axis);
  if (same_side(of_p, of_q) || same_side(area(p, q, a, axis), area(p, q, b, axis))) return {};
  return of_p == of_q ? *middle : between(p, q, of_p, of_q);
}

struct Triangle {
  Vec3 a, b, c, normal;  // unit
  int axis;              // axis of the projection with the largest area

  Triangle(const Vec3& a_, const Vec3& b_, const Vec3& c_) : a(a_), b(b_), c(c_), normal(cross(b - a, c - a)) {
    const double size = norm(normal);
    normal = size > 0 ? normal / size : Vec3{0, 0, 1};
    axis = 0;
    for (int d = 1; d < 3; ++d)
      if (std::abs(normal[d]) > std::abs(normal[axis])) axis = d;
  }
  /// Whether a point of its plane is in the triangle, including its border.
  bool holds(const Vec3& x) const {
    const double u = area(a, b, x, axis), v = area(b, c, x, axis), w = area(c, a, x, axis);
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
  }
  double size() const {
    double most = 0;
    for (int d = 0; d < 3; ++d) most = std::max({most, std::abs(a[d]), std::abs(b[d]), std::abs(c[d])});
    return most;
  }
};

/// Intersection of the segment p–q with the triangle.
std::optional<Vec3> pierce(const Vec3& p, const Vec3& q, const Triangle& t) {
  const double round_off = 1e-13 * t.size();
  const auto height = [&](const Vec3& x) {
    const double h = dot(x - t.a, t.normal);
    return std::abs(h) <= round_off ? 0.0 : h;
  };
  const double of_p = height(p), of_q = height(q);
  if (same_side(of_p, of_q)) return {};
  if (of_p != 0 || of_q != 0) {
    const Vec3 x = between(p, q, of_p, of_q);
    return t.holds(x) ? std::optional(x) : std::nullopt;
  }
  if (t.holds(p)) return p;
  if (const auto x = cross_segments(p, q, t.a, t.b, t.axis)) return x;
  if (const auto x = cross_segments(p, q, t.b, t.c, t.axis)) return x;
  return cross_segments(p, q, t.c, t.a, t.axis);
}

Crossing as_array(const std::optional<Vec3>& x) {
  if (!x) return {};
  return std::array{(*x)[0], (*x)[1], (*x)[2]};
}

/// Intersection of edges of the first triangle that do not share a vertex with the second, with the second.
std::optional<Vec3> pierce(const std::array<Vec3, 3>& corners, const std::array<bool, 3>& shared, const Triangle& t) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (shared[i] || shared[j]) continue;
    if (const auto x = pierce(corners[i], corners[j], t)) return x;
  }
  return {};
}

}  // namespace

Crossing find_crossing(const SampledSurface& surface, int piece, int other) {
  const int n = surface.corners;
  std::array<Vec3, 3> x{}, y{};
  std::array<bool, 3> x_shared{}, y_shared{};
  int n_shared = 0;
  const auto &mine = surface.pieces[piece], &others = surface.pieces[other];
  for (int i = 0; i < n; ++i) {
    const auto &p = surface.points[mine[i]], &q = surface.points[others[i]];
    x[i] = {p[0], p[1], p[2]};
    y[i] = {q[0], q[1], q[2]};
    for (int j = 0; j < n; ++j)
      if (mine[i] == others[j]) x_shared[i] = y_shared[j] = true, ++n_shared;
  }
  if (n_shared >= n - 1) return {};
  if (n == 2) return as_array(cross_segments(x[0], x[1], y[0], y[1], 2));
  const Triangle first(x[0], x[1], x[2]), second(y[0], y[1], y[2]);
  if (const auto at = pierce(x, x_shared, second)) return as_array(at);
  return as_array(pierce(y, y_shared, first));
}

}  // namespace invar
