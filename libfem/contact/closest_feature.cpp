#include "libfem/contact/closest_feature.hpp"

#include <algorithm>

namespace invar {
namespace {

using Way = Vector<double, 3>;

double ratio_in_unit_interval(double a, double b) { return b > 0 ? std::clamp(a / b, 0.0, 1.0) : 0.0; }

}  // namespace

Way way_to_triangle(const Way& r, const Way& e, const Way& f) {
  const Way n = cross(e, f);
  if (foot_in_triangle(r, e, f)) return n * (dot(r, n) / dot(n, n));
  Way best = way_to_segment(r, e);
  double least = dot(best, best);
  for (const Way& way : {way_to_segment(r, f), way_to_segment(Way(r - e), Way(f - e))}) {
    const double square = dot(way, way);
    if (square < least) least = square, best = way;
  }
  return best;
}

Way way_between_edges(const Way& r, const Way& e, const Way& f) {
  const Way n = cross(e, f);
  const double a = dot(e, e), b = dot(e, f), c = dot(f, f), er = dot(e, r), fr = dot(f, r), determinant = dot(n, n);
  double s = determinant > 0 ? std::clamp((b * fr - c * er) / determinant, 0.0, 1.0) : 0.0;
  double t = c > 0 ? (b * s + fr) / c : 0.0;
  if (t < 0 || c <= 0)
    t = 0, s = ratio_in_unit_interval(-er, a);
  else if (t > 1)
    t = 1, s = ratio_in_unit_interval(b - er, a);
  constexpr double slanted = 1e-6;  // of a square of a sine: the common normal is exact to 1e-13
  if (s > 0 && s < 1 && t > 0 && t < 1 && determinant > slanted * a * c) return n * (dot(r, n) / determinant);
  Way way = r + e * s - f * t;
  if (s > 0 && s < 1) way = perpendicular_part(way, e);
  if (t > 0 && t < 1) way = perpendicular_part(way, f);
  return way;
}

}  // namespace invar
