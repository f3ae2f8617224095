#include "libfem/contact/additive_ccd.hpp"

#include <algorithm>
#include <limits>

#include "libfem/contact/closest_feature.hpp"

namespace invar {
namespace {

constexpr double part_of_bound = 0.9, negligible_step = 1e-3;
constexpr int most_advances = 200;

/// Impact of the first NA of N points with the others; way(points): shortest vector from the latter to the former.
template <int D, int NA, int N, class Way>
double impact_time(const Vector<double, D> (&x)[N], const Vector<double, D> (&v)[N], double until, Way way) {
  double t = 0;
  Vector<double, D> at[N];
  for (int advance = 0; advance < most_advances; ++advance) {
    for (int i = 0; i < N; ++i) at[i] = x[i] + v[i] * t;
    const Vector<double, D> n = way(at);
    double bound = std::numeric_limits<double>::infinity();
    for (int a = 0; a < NA; ++a)
      for (int b = NA; b < N; ++b) {
        const double gap = dot(n, Vector<double, D>(at[a] - at[b])), rate = dot(n, Vector<double, D>(v[a] - v[b]));
        if (!(gap > 0)) return t;
        if (rate < 0) bound = std::min(bound, -gap / rate);
      }
    if (t + bound > until) return until;
    const double step = part_of_bound * bound;
    t += step;
    if (step <= negligible_step * t) return t;
  }
  return t;
}

}  // namespace

double point_segment_impact(const Vector<double, 2> (&x)[3], const Vector<double, 2> (&v)[3], double until) {
  return impact_time<2, 1>(x, v, until, [](const auto& at) {
    return way_to_segment(Vector<double, 2>(at[0] - at[1]), Vector<double, 2>(at[2] - at[1]));
  });
}

double point_triangle_impact(const Vector<double, 3> (&x)[4], const Vector<double, 3> (&v)[4], double until) {
  return impact_time<3, 1>(x, v, until, [](const auto& at) {
    return way_to_triangle(Vector<double, 3>(at[0] - at[1]), Vector<double, 3>(at[2] - at[1]),
                           Vector<double, 3>(at[3] - at[1]));
  });
}

double edge_edge_impact(const Vector<double, 3> (&x)[4], const Vector<double, 3> (&v)[4], double until) {
  return impact_time<3, 2>(x, v, until, [](const auto& at) {
    return way_between_edges(Vector<double, 3>(at[0] - at[2]), Vector<double, 3>(at[1] - at[0]),
                             Vector<double, 3>(at[3] - at[2]));
  });
}

}  // namespace invar
