#include "libfem/contact/distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "libfem/contact/barrier.hpp"
#include "libfem/contact/closest_feature.hpp"
#include "tests/unit/contact/ipctk_pairs.hpp"
#include "tests/unit/contact/scenes.hpp"

namespace invar {
namespace {

using test::Random;

/// The distance of a kind at points x [count][D]; `rest`: of two edges.
template <int D, class T>
T distance_at(const std::string& kind, const T* x) {
  const auto from = [&](int a, int b) {
    Vector<T, D> r;
    for (int d = 0; d < D; ++d) r[d] = x[a * D + d] - x[b * D + d];
    return r;
  };
  if (kind == "point_point") return point_point_distance(from(0, 1));
  if (kind == "point_line") return point_line_distance(from(0, 1), from(2, 1));
  if constexpr (D == 3) {
    if (kind == "point_plane") return point_plane_distance(from(0, 1), from(2, 1), from(3, 1));
    return line_line_distance(from(0, 2), from(1, 0), from(3, 2));
  }
  return T(0.0);
}

/// The published factor of two edges (Li et al. 2020), in place of `edge_edge_factor`.
template <class T>
T published_factor(const Vector<T, 3>& e, const Vector<T, 3>& f, const Vector<T, 3>& E, const Vector<T, 3>& F) {
  const Vector<T, 3> n = cross(e, f);
  const T q = dot(n, n) / (dot(E, E) * dot(F, F) * 1e-3);
  return select(q < 1, T(q * (2 - q)), T(1.0));
}

template <int D, class T>
T energy_at(const test::IpctkPair& pair, const T* x, double d_hat) {
  T energy = barrier(distance_at<D>(pair.kind, x), d_hat);
  if constexpr (D == 3)
    if (pair.kind == "line_line") {
      const auto from = [](const auto* y, int a, int b) {
        Vector<T, 3> r;
        for (int d = 0; d < 3; ++d) r[d] = T(y[a * 3 + d]) - T(y[b * 3 + d]);
        return r;
      };
      const double* X = pair.rest.data();
      energy = energy * published_factor(from(x, 1, 0), from(x, 3, 2), from(X, 1, 0), from(X, 3, 2));
    }
  return energy;
}

template <int D>
void expect_ipctk(const test::IpctkPair& pair) {
  constexpr int most = 12;
  using Inner = Dual<double, 1>;
  using T = Dual<Inner, most>;
  const int n = static_cast<int>(pair.points.size());
  T x[most];
  for (int i = 0; i < n; ++i) {
    Inner value(pair.points[i]);
    value.grad[0] = std::sin(i + 1.0);
    x[i] = T::variable(value, i);
  }
  double points[most];
  std::copy(pair.points.begin(), pair.points.end(), points);
  EXPECT_NEAR(distance_at<D>(pair.kind, points), pair.distance, 1e-12);
  const T energy = energy_at<D>(pair, x, 0.8);
  const auto close = [&](double a, double b) { EXPECT_NEAR(a, b, 1e-12 * std::max(1.0, std::abs(b))) << pair.kind; };
  close(energy.value.value, pair.energy);
  for (int i = 0; i < n; ++i) {
    close(energy.grad[i].value, pair.gradient[i]);
    // Near-parallel edges have curvatures of 1/sin² of their angle.
    EXPECT_NEAR(energy.grad[i].grad[0], pair.hessian_times_v[i],
                1e-12 * std::max(1.0, std::abs(*std::max_element(
                                          pair.hessian_times_v.begin(), pair.hessian_times_v.end(),
                                          [](double a, double b) { return std::abs(a) < std::abs(b); }))))
        << pair.kind;
  }
}

TEST(Distance, EnergiesAndTheirDerivativesAreThoseOfTheIpcToolkit) {
  ASSERT_EQ(test::ipctk_pairs.size(), 18u);
  for (const test::IpctkPair& pair : test::ipctk_pairs) pair.dim == 2 ? expect_ipctk<2>(pair) : expect_ipctk<3>(pair);
}

/// Distance and gradient with respect to all points.
template <int D, int Count>
std::pair<double, std::array<double, 12>> with_gradient(const std::string& kind,
                                                        const std::array<Vector<double, D>, Count>& points) {
  using T = Dual<double, D * Count>;
  T x[D * Count];
  for (int i = 0; i < D * Count; ++i) x[i] = T::variable(points[i / D][i % D], i);
  const T d = distance_at<D>(kind, x);
  std::array<double, 12> gradient{};
  std::copy(d.grad, d.grad + D * Count, gradient.begin());
  return {d.value, gradient};
}

/// Both formulas at a point on the border between their regions. The gradient of the shorter one covers fewer points.
template <int D, int A, int B>
void expect_same(const std::string& one, const std::array<Vector<double, D>, A>& a, const std::string& two,
                 const std::array<Vector<double, D>, B>& b, const std::array<int, B>& places) {
  const auto [da, ga] = with_gradient<D, A>(one, a);
  const auto [db, gb] = with_gradient<D, B>(two, b);
  EXPECT_NEAR(da, db, 1e-12);
  std::array<double, 12> spread{};
  for (int k = 0; k < B; ++k)
    for (int d = 0; d < D; ++d) spread[places[k] * D + d] += gb[k * D + d];
  for (int i = 0; i < A * D; ++i) EXPECT_NEAR(ga[i], spread[i], 1e-10) << one << " " << two;
}

TEST(Distance, LineMeetsPointsAtItsEnds) {
  Random random(1);
  const auto in = [&]<int D>() {
    using P = Vector<double, D>;
    for (int i = 0; i < 50; ++i) {
      const P y0 = random.vector<D>(), y1 = random.vector<D>();
      const P e = y1 - y0;
      P side = random.vector<D>();
      side = side - e * (dot(side, e) / dot(e, e));
      for (const int end : {0, 1}) {
        const P x = (end ? y1 : y0) + side;
        expect_same<D, 3, 2>("point_line", {x, y0, y1}, "point_point", {x, end ? y1 : y0}, {0, end ? 2 : 1});
        // and the classification switches there
        for (const double way : {-1e-9, 1e-9}) {
          const P off = x + e * way - y0;
          EXPECT_EQ(closest_on_segment(off, e) == OnSegment::inside, (way > 0) == (end == 0));
        }
      }
    }
  };
  in.operator()<2>();
  in.operator()<3>();
}

TEST(Distance, PlaneMeetsLinesAtTheEdgesOfATriangle) {
  Random random(2);
  using P = Vector<double, 3>;
  for (int i = 0; i < 60; ++i) {
    const P y[3] = {random.vector<3>(), random.vector<3>(), random.vector<3>()};
    const P n = cross(P(y[1] - y[0]), P(y[2] - y[0]));
    const int k = i % 3, l = (k + 1) % 3;
    const P foot = y[k] + (y[l] - y[k]) * random(0.05, 0.95), x = foot + n * random();
    expect_same<3, 4, 3>("point_plane", {x, y[0], y[1], y[2]}, "point_line", {x, y[k], y[l]}, {0, k + 1, l + 1});
    const P inward = cross(n, P(y[l] - y[k]));
    for (const double way : {-1e-9, 1e-9}) {
      const P off = x + inward * (way / norm(inward)) - y[0];
      EXPECT_EQ(foot_in_triangle(off, P(y[1] - y[0]), P(y[2] - y[0])), way > 0);
    }
  }
}

/// use(e, f, e × f) for random edges that are far from parallel.
template <class Use>
void for_crossing_edges(unsigned seed, Use use) {
  Random random(seed);
  for (int i = 0; i < 50; ++i) {
    const Vector<double, 3> e = random.vector<3>(), f = random.vector<3>(), n = cross(e, f);
    if (dot(n, n) >= 0.1) use(e, f, n);
  }
}

/// The factor of two edges, with its gradient by r, e and f.
Dual<double, 9> factor_with_gradient(const Vector<double, 3>& r, const Vector<double, 3>& e, const Vector<double, 3>& f, const Vector<double, 3>& E,
                                     const Vector<double, 3>& F) {
  using T = Dual<double, 9>;
  Vector<T, 3> z[3];
  for (int d = 0; d < 3; ++d)
    z[0][d] = T::variable(r[d], d), z[1][d] = T::variable(e[d], 3 + d), z[2][d] = T::variable(f[d], 6 + d);
  return edge_edge_factor(z[0], z[1], z[2], Vector<T, 3>{E[0], E[1], E[2]}, Vector<T, 3>{F[0], F[1], F[2]});
}

/// The energy of two edges and its gradient vanish where a closest point reaches an end.
TEST(Distance, EdgesFadeAtTheirEndsAndWhereTheyAreParallel) {
  using P = Vector<double, 3>;
  for_crossing_edges(3, [](const P& e, const P& f, const P& n) {
    const auto gradient = [&](double s, double t) {
      const P r = n * 0.3 - e * s + f * t;
      EXPECT_NEAR(line_line_coordinates(r, e, f)[0], s, 1e-12);
      EXPECT_NEAR(line_line_coordinates(r, e, f)[1], t, 1e-12);
      return factor_with_gradient(r, e, f, e, f);
    };
    EXPECT_NEAR(gradient(0.5, 0.5).value, 1, 1e-14);
    for (const auto& [s, t] : {std::pair{0.0, 0.4}, {1.0, 0.6}, {0.3, 0.0}, {0.6, 1.0}}) {
      const auto factor = gradient(s, t);
      EXPECT_NEAR(factor.value, 0, 1e-10);
      for (double g : factor.grad) EXPECT_NEAR(g, 0, 1e-8);
    }
    const P E = e * 1.1;
    const P nearly = e * 0.9 + f * 1e-6;
    EXPECT_LT(edge_edge_factor(P(n * 0.3 - e * 0.5 + nearly * 0.5), e, nearly, E, nearly), 1e-6);
  });
}

/// Rounding alone decided whether exactly parallel edges met, with a normal of zero or of rounding.
TEST(Distance, ParallelEdgesDoNotMeetInside) {
  using P = Vector<double, 3>;
  for_crossing_edges(4, [](const P& e, const P& aside, const P& n) {
    const auto meet = [&](double angle) {
      const P f = e * 0.9 + aside * angle;
      return closest_inside_both(n * 0.3 - e * 0.5 + f * 0.5, e, f);
    };
    for (const double parallel : {0.0, 1e-17, 1e-15, 1e-14}) EXPECT_FALSE(meet(parallel)) << parallel;
    EXPECT_TRUE(meet(1e-6));
  });
}

/// Newton's method stalls on jumps of the second derivative between nearly parallel edges.
TEST(Distance, FactorOfEdgesHasContinuousSecondDerivatives) {
  using P = Vector<double, 3>;
  using T = Dual<Dual<double, 1>, 1>;
  const P e{1, 0, 0}, n{0, 0, 1};
  const auto second = [&](double angle, double rate, double s, double rate_of_s) {  // derivative along (angle, s)
    T a(Dual<double, 1>::variable(angle, 0)), along(Dual<double, 1>::variable(s, 0));
    a.value.grad[0] = rate, along.value.grad[0] = rate_of_s, a.grad[0] = Dual<double, 1>(rate), along.grad[0] = Dual<double, 1>(rate_of_s);
    const Vector<T, 3> f{cos(a), sin(a), T(0.0)}, E{T(1.0), T(0.0), T(0.0)};
    Vector<T, 3> r;
    for (int d = 0; d < 3; ++d) r[d] = T(0.3 * n[d]) - T(e[d]) * along + f[d] * 0.4;
    return edge_edge_factor(r, E, f, E, Vector<T, 3>{T(std::cos(angle)), T(std::sin(angle)), T(0.0)}).grad[0].grad[0];
  };
  const auto expect_smooth = [](auto value) {
    constexpr int steps = 20000;
    double size = 0, jump = 0;
    for (int k = 1; k < steps; ++k) {
      size = std::max(size, std::abs(value(double(k) / steps)));
      jump = std::max(jump, std::abs(value(double(k) / steps) - value(double(k - 1) / steps)));
    }
    EXPECT_LT(jump, 0.02 * size);
  };
  expect_smooth([&](double x) { return second(0.7, 0, 1.4 * x - 0.2, 1); });      // past both ends
  expect_smooth([&](double x) { return second(0.01 + 0.4 * x, 1, 0.3, 0); });    // from parallel edges to others
  // Across nearly parallel edges s changes by 1/θ, whence second derivatives of order θ².
  const auto across = [&](double angle) { return second(angle, 0, 0.3, 1 / angle); };
  EXPECT_NEAR(across(1e-3) / across(1e-2), 0.01, 1e-3);
}

TEST(Distance, FactorOfEdgesHasTheDerivativesOfDuals) {
  Random random(6);
  using P = Vector<double, 3>;
  for (int i = 0; i < 200; ++i) {
    const P e = random.vector<3>(), E = random.vector<3>(), F = random.vector<3>();
    const P f = i % 3 ? random.vector<3>() : e * random() + random.vector<3>(0.02);  // every third nearly parallel
    const P r = cross(e, f) * random() - e * random(-0.05, 1.05) + f * random(-0.05, 1.05);
    const auto expected = factor_with_gradient(r, e, f, E, F);
    P by[3];
    EXPECT_NEAR(edge_edge_factor_gradient(r, e, f, E, F, by[0], by[1], by[2]), expected.value, 1e-12 * std::max(1.0, std::abs(expected.value)));
    double size = 1;
    for (double g : expected.grad) size = std::max(size, std::abs(g));
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(by[k / 3][k % 3], expected.grad[k], 1e-10 * size) << i << " " << k;
  }
}

TEST(Distance, DoesNotChangeUnderRigidMotions) {
  Random random(4);
  using P = Vector<double, 3>;
  for (int i = 0; i < 20; ++i) {
    const double a = random(-3, 3), b = random(-3, 3);
    const P shift = random.vector<3>(5);
    const auto moved = [&](const P& x) {
      const P y{std::cos(a) * x[0] - std::sin(a) * x[1], std::sin(a) * x[0] + std::cos(a) * x[1], x[2]};
      return P{y[0], std::cos(b) * y[1] - std::sin(b) * y[2], std::sin(b) * y[1] + std::cos(b) * y[2]} + shift;
    };
    double x[12], y[12];
    for (int k = 0; k < 4; ++k) {
      const P p = random.vector<3>(), q = moved(p);
      for (int d = 0; d < 3; ++d) x[3 * k + d] = p[d], y[3 * k + d] = q[d];
    }
    for (const char* kind : {"point_point", "point_line", "point_plane", "line_line"})
      EXPECT_NEAR(distance_at<3>(kind, x), distance_at<3>(kind, y), 1e-12 * std::max(1.0, distance_at<3>(kind, x)));
  }
}

TEST(Distance, PacksGiveWhatNumbersGive) {
  Random random(5);
  Pack x[12];
  double lane[simd_width][12];
  for (int i = 0; i < 12; ++i)
    for (int l = 0; l < simd_width; ++l) x[i].set(l, lane[l][i] = random());
  using T = Dual<Pack, 3>;
  T y[12];
  for (int i = 0; i < 12; ++i) {
    y[i] = T(x[i]);
    if (i < 3) y[i].grad[i] = Pack(1.0);
  }
  for (const char* kind : {"point_point", "point_line", "point_plane", "line_line"}) {
    const T d = distance_at<3>(kind, y);
    for (int l = 0; l < simd_width; ++l) {
      const double expected = distance_at<3>(kind, lane[l]);
      EXPECT_NEAR(d.value[l], expected, 1e-13);
      double right[12], left[12];
      for (int i = 0; i < 3; ++i) {
        std::copy(lane[l], lane[l] + 12, right), std::copy(lane[l], lane[l] + 12, left);
        right[i] += 1e-6, left[i] -= 1e-6;
        EXPECT_NEAR(d.grad[i][l], (distance_at<3>(kind, right) - distance_at<3>(kind, left)) / 2e-6, 1e-7);
      }
    }
  }
}

/// Gaps of 1e-7 between bodies of size 1 that have moved by 1: differences of positions would have only 9 correct digits.
TEST(Distance, SmallGapsKeepTheirDigits) {
  SurfacePosition at{2, {0.1, 0.2 + 1e-7, 0.05, 0.2, 0.17, 0.2}, {0.7, 0.3, 0.7, 0.3, 0.7, 0.3}};
  const double rest = at.X[1] - at.X[3];
  EXPECT_NEAR(point_line_distance(at.difference<2>(0, 1), at.difference<2>(2, 1)), rest, 1e-15 * rest);
  at.u[1] += 3e-9;
  EXPECT_NEAR(point_line_distance(at.difference<2>(0, 1), at.difference<2>(2, 1)), rest + (at.u[1] - 0.3),
              1e-15 * rest);
}

TEST(Barrier, HasThePressureOfItsFormula) {
  const std::pair<double, double> published[] = {{0.9, 0.032}, {0.7, 0.34}, {0.5, 1.19}, {0.1, 12.2}};
  for (const auto& [z, p] : published) EXPECT_NEAR(barrier_pressure(z * 0.02, 0.02), p, 0.02 * p);
  for (const double z : {1e-6, 0.01, 0.3, 0.8, 0.999, 1.0, 1.5}) {
    const auto b = barrier(Dual<double, 1>::variable(z * 0.02, 0), 0.02);
    EXPECT_NEAR(b.value, z < 1 ? -0.02 * (z - 1) * (z - 1) * std::log(z) : 0, 1e-15);
    EXPECT_NEAR(barrier_pressure(z * 0.02, 0.02), -b.grad[0], 1e-13 * std::max(1.0, std::abs(b.grad[0])));
  }
}

TEST(Barrier, IsTwiceContinuouslyDifferentiableWhereItEnds) {
  using T = Dual<Dual<double, 1>, 1>;
  for (const double off : {1e-3, 1e-5}) {
    T d(Dual<double, 1>::variable(1 - off, 0));
    d.grad[0] = Dual<double, 1>(1.0);
    const T b = barrier(d, 1.0);
    EXPECT_NEAR(b.value.value, std::pow(off, 3), 2 * std::pow(off, 4));  // (1 − z)³ to leading order
    EXPECT_NEAR(b.grad[0].value, -3 * off * off, 6 * std::pow(off, 3));
    EXPECT_NEAR(b.grad[0].grad[0], 6 * off, 20 * off * off);
  }
}

}  // namespace
}  // namespace invar
