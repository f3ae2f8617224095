#include "libfem/contact/additive_ccd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tests/unit/contact/scenes.hpp"

namespace invar {
namespace {

using test::Random;
using Number = long double;
template <int D>
using Point = Vector<double, D>;

/// Roots in [0, 1] of Σ c_k t^k, k ≤ 3, ascending, by bisection between the roots of the derivative.
std::vector<Number> roots_of(const std::vector<Number>& c) {
  const auto value = [&](Number t) {
    Number v = 0;
    for (std::size_t k = c.size(); k-- > 0;) v = v * t + c[k];
    return v;
  };
  std::vector<Number> borders{0};
  if (c.size() > 2) {
    std::vector<Number> slope;
    for (std::size_t k = 1; k < c.size(); ++k) slope.push_back(c[k] * static_cast<Number>(k));
    for (Number t : roots_of(slope)) borders.push_back(t);
  }
  borders.push_back(1);
  std::vector<Number> roots;
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    Number a = borders[i], b = borders[i + 1];
    if ((value(a) > 0) == (value(b) > 0)) continue;
    for (int k = 0; k < 80; ++k) ((value((a + b) / 2) > 0) == (value(a) > 0) ? a : b) = (a + b) / 2;
    roots.push_back((a + b) / 2);
  }
  return roots;
}

/// A cubic (in the plane a quadratic) through four of its values.
template <class Volume>
std::vector<Number> polynomial_of(Volume volume) {
  const Number y0 = volume(0), y1 = volume(Number(1) / 3), y2 = volume(Number(2) / 3), y3 = volume(1);
  return {y0, (-11 * y0 + 18 * y1 - 9 * y2 + 2 * y3) / 2, 9 * (2 * y0 - 5 * y1 + 4 * y2 - y3) / 2,
          9 * (-y0 + 3 * y1 - 3 * y2 + y3) / 2};
}

template <int D, int N>
std::array<Vector<Number, D>, N> at_time(const Point<D> (&x)[N], const Point<D> (&v)[N], Number t) {
  std::array<Vector<Number, D>, N> at;
  for (int i = 0; i < N; ++i)
    for (int d = 0; d < D; ++d) at[i][d] = x[i][d] + t * v[i][d];
  return at;
}
constexpr Number slack = 1e-9L;

/// The first time at which a point lies on a segment, or 2.
Number exact_segment(const Point<2> (&x)[3], const Point<2> (&v)[3]) {
  const auto area = [&](Number t) {
    const auto p = at_time(x, v, t);
    return (p[0][0] - p[1][0]) * (p[2][1] - p[1][1]) - (p[0][1] - p[1][1]) * (p[2][0] - p[1][0]);
  };
  for (Number t : roots_of(polynomial_of(area))) {
    const auto p = at_time(x, v, t);
    const auto e = p[2] - p[1], r = p[0] - p[1];
    const Number s = dot(r, e) / dot(e, e);
    if (s > -slack && s < 1 + slack) return t;
  }
  return 2;
}

Number volume_of(const std::array<Vector<Number, 3>, 4>& p) {
  return dot(Vector<Number, 3>(p[1] - p[0]), cross(Vector<Number, 3>(p[2] - p[0]), Vector<Number, 3>(p[3] - p[0])));
}

Number exact_triangle(const Point<3> (&x)[4], const Point<3> (&v)[4]) {
  for (Number t : roots_of(polynomial_of([&](Number s) { return volume_of(at_time(x, v, s)); }))) {
    const auto p = at_time(x, v, t);
    const Vector<Number, 3> e = p[2] - p[1], f = p[3] - p[1], r = p[0] - p[1], n = cross(e, f);
    const Number square = dot(n, n), a = dot(cross(r, f), n) / square, b = dot(cross(e, r), n) / square;
    if (a > -slack && b > -slack && a + b < 1 + slack) return t;
  }
  return 2;
}

Number exact_edges(const Point<3> (&x)[4], const Point<3> (&v)[4]) {
  for (Number t : roots_of(polynomial_of([&](Number s) { return volume_of(at_time(x, v, s)); }))) {
    const auto p = at_time(x, v, t);
    const Vector<Number, 3> e = p[1] - p[0], f = p[3] - p[2], r = p[0] - p[2], n = cross(e, f);
    const Number square = dot(n, n), a = -dot(cross(r, f), n) / square, b = -dot(cross(r, e), n) / square;
    if (a > -slack && a < 1 + slack && b > -slack && b < 1 + slack) return t;
  }
  return 2;
}

/// Statistics over many pairs.
class Tally {
 public:
  void add(double found, Number exact) {
    ++pairs_;
    const bool meets = exact <= 1;
    EXPECT_LE(found, std::min<Number>(exact, 1) * (1 + 1e-12L)) << "pair " << pairs_;
    if (meets)
      ++impacts_, parts_ += exact > 0 ? static_cast<double>(found / exact) : 1.0;
    else
      misses_ += found < 1;
  }
  /// `misses`: admissible fraction of pairs that are stopped without impact, because they pass within 10⁻⁴ of their motion.
  void expect_tight(int least_impacts, double misses = 0.002) const {
    EXPECT_GT(impacts_, least_impacts);
    EXPECT_GT(0.9 * parts_ / impacts_, 0.89);  // with the factor of `limit_step`
    EXPECT_LE(misses_, pairs_ * misses);
  }

 private:
  int pairs_ = 0, impacts_ = 0, misses_ = 0;
  double parts_ = 0;
};

template <int D, int N>
void randomise(Random& random, Point<D> (&x)[N], Point<D> (&v)[N], double speed) {
  for (int i = 0; i < N; ++i) x[i] = random.vector<D>(), v[i] = random.vector<D>(speed);
}

TEST(AdditiveCcd, NeverPassesAnImpactOfRandomPairs) {
  Random random(31);
  Tally segments, triangles, edges;
  for (int i = 0; i < 100000; ++i) {
    const double speed = i % 3 == 0 ? 0.3 : i % 3 == 1 ? 1 : 5;
    Point<2> x[3], v[3];
    randomise(random, x, v, speed);
    segments.add(point_segment_impact(x, v, 1), exact_segment(x, v));
    Point<3> y[4], w[4];
    randomise(random, y, w, speed);
    if (i % 2)
      triangles.add(point_triangle_impact(y, w, 1), exact_triangle(y, w));
    else
      edges.add(edge_edge_impact(y, w, 1), exact_edges(y, w));
  }
  segments.expect_tight(10000);
  triangles.expect_tight(2000);
  edges.expect_tight(2000);
}

/// Parallel edges, flat approaches, points over edges and vertices, slivers, features that slide along each other.
TEST(AdditiveCcd, IsSafeForDegeneratePairs) {
  Random random(32);
  Tally triangles, slivers, edges;
  for (int i = 0; i < 20000; ++i) {
    const double gap = std::pow(10.0, random(-6, -1)), tilt = i % 4 ? std::pow(10.0, random(-12, -2)) : 0;
    // A point above an edge, a vertex or the middle of a triangle, coming straight down or obliquely.
    const double b = i % 3 == 0 ? 0 : random(0, 1), a = i % 3 == 2 ? random(0, 1 - b) : 0;
    const double thin = i % 5 == 0 ? 1e-6 : 1;
    const Point<3> y[4] = {{a, b * thin, gap}, {0, 0, 0}, {1, 0, tilt}, {0, thin, -tilt}};
    const Point<3> w[4] = {
        {0.3 * random(), 0.3 * thin * random(), -gap * random(0.5, 20)}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    (thin < 1 ? slivers : triangles).add(point_triangle_impact(y, w, 1), exact_triangle(y, w));
    // Edges on top of each other, parallel or nearly so.
    const Point<3> p[4] = {{0, 0, gap}, {1, tilt, gap}, {random(-0.5, 0.5), 0, 0}, {1.2, -tilt, 0}};
    const Point<3> q[4] = {{0, 0, -gap * 3}, {0, 0, -gap * random(2, 4)}, {random(), 0, 0}, {random(), 0, 0}};
    const double found = edge_edge_impact(p, q, 1);
    if (tilt == 0) {  // both stay in the plane y = 0: an end meets the other edge
      const auto flat = [](const Point<3>& r) { return Point<2>{r[0], r[2]}; };
      Number first = 2;
      for (const auto& [end, from, to] : {std::array{0, 2, 3}, {1, 2, 3}, {2, 0, 1}, {3, 0, 1}}) {
        const Point<2> x[3] = {flat(p[end]), flat(p[from]), flat(p[to])},
                       v[3] = {flat(q[end]), flat(q[from]), flat(q[to])};
        first = std::min(first, exact_segment(x, v));
      }
      edges.add(found, first);
    } else if (const Number time = exact_edges(p, q); time <= 1) {
      edges.add(found, time);
    }
  }
  triangles.expect_tight(5000);
}

TEST(AdditiveCcd, SlidingAlongAFlatSurfaceIsNoImpact) {
  const Point<3> y[4] = {{0.2, 0.2, 1e-6}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const Point<3> w[4] = {{100, 30, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(point_triangle_impact(y, w, 1), 1);
  const Point<3> p[4] = {{0, 0, 1e-6}, {1, 0, 1e-6}, {0.3, -1, 0}, {0.4, 1, 0}},
                 q[4] = {{5, 9, 0}, {7, -3, 0}, {0, 0, 0}, {1, 1, 0}};
  EXPECT_EQ(edge_edge_impact(p, q, 1), 1);
}

/// The impact of sides that are `gap` apart, if the first one does not move, if it leaves with a speed of one, and if it arrives at half of the step.
template <class Impact>
std::array<double, 3> impacts_at(double gap, Impact impact) {
  return {impact(0.0), impact(1.0), impact(-2 * gap)};
}

// Sides of two bars, end to end at a gap of 1e-13 to 1e-9 of their size: round-off in the direction of the gap, times the length of a side, would exceed
// the gap. At rest, and apart, they do not meet; towards each other they may cover most of the gap, and not more.
TEST(AdditiveCcd, SidesAtATinyGapMayRestAndPart) {
  Random random(17);
  int moved = 0;
  for (int k = 0; k < 20000; ++k) {
    const double gap = std::pow(10, random(-13, -9)), slope = random(-1, 1) * 1e-3, y = random(0.02, 0.08);
    const auto of_segment = impacts_at(gap, [&](double speed) {
      const Point<2> x[3] = {{slope * y + gap, y}, {0, 0}, {0.1 * slope, 0.1}}, v[3] = {{speed, 0}, {0, 0}, {0, 0}};
      return point_segment_impact(x, v, 1);
    });
    const auto of_triangle = impacts_at(gap, [&](double speed) {
      const Point<3> x[4] = {{slope * y + gap, y, 0.02}, {0, 0, 0}, {0.1 * slope, 0.1, 0}, {0.1 * slope, 0.1, 0.1}}, v[4] = {{speed, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
      return point_triangle_impact(x, v, 1);
    });
    const auto of_edges = impacts_at(gap, [&](double speed) {
      const Point<3> x[4] = {{slope * y + gap, y, -0.03}, {slope * y + gap, y, 0.04}, {0, 0, 0.01}, {0.1 * slope, 0.1, -0.01}},
                     v[4] = {{speed, 0, 0}, {speed, 0, 0}, {0, 0, 0}, {0, 0, 0}};
      return edge_edge_impact(x, v, 1);
    });
    for (const auto& [at_rest, apart, towards] : {of_segment, of_triangle, of_edges}) {
      ASSERT_EQ(at_rest, 1) << gap;
      ASSERT_EQ(apart, 1) << gap;
      ASSERT_LT(towards, 0.5 * (1 + 1e-16 / gap)) << gap;
      moved += towards > 0.4;
    }
  }
  EXPECT_GT(moved, 3 * 19000);
}

TEST(AdditiveCcd, WhatTouchesDoesNotMove) {
  const Point<2> x[3] = {{0.5, 0}, {0, 0}, {1, 0}}, v[3] = {{0, 1}, {0, 0}, {0, 0}};
  EXPECT_EQ(point_segment_impact(x, v, 1), 0);
}

}  // namespace
}  // namespace invar
