#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "libadjoint/maps/time_basis.hpp"

namespace invar {
namespace {

using Kind = TimeBasis::Kind;

double sum(const std::vector<double>& phi) { return std::accumulate(phi.begin(), phi.end(), 0.0); }

TEST(TimeBasis, IsAPartitionOfUnityAndNotNegative) {
  for (const Kind kind : {Kind::constant, Kind::linear, Kind::cubic})
    for (const int size : {4, 5, 9}) {
      const TimeBasis basis(kind, size, -1, 2.5);
      EXPECT_EQ(basis.size(), size);
      for (int i = 0; i <= 70; ++i) {
        const std::vector<double> phi = basis.values(-1 + 3.5 * i / 70);
        ASSERT_EQ(phi.size(), std::size_t(size));
        EXPECT_NEAR(sum(phi), 1, 1e-14);
        for (const double v : phi) EXPECT_GE(v, -1e-15);
      }
    }
}

/// The cubic B-spline on the knots 0, …, 4, from its middle at 2.
double cardinal(double x) {
  const double s = std::abs(x - 2);
  return s < 1 ? 2.0 / 3 - s * s + s * s * s / 2 : s < 2 ? std::pow(2 - s, 3) / 6 : 0;
}

TEST(TimeBasis, CubicIsTheCardinalSplineInside) {
  const int size = 11, spans = size - 3;
  const TimeBasis basis(Kind::cubic, size, 2, 6);
  for (int k = 0; k <= 200; ++k) {
    const double t = 2 + 4.0 * k / 200;
    const std::vector<double> phi = basis.values(t);
    for (int i = 3; i < size - 3; ++i) EXPECT_NEAR(phi[i], cardinal((t - 2) / 4 * spans - (i - 3)), 1e-14);
  }
}

TEST(TimeBasis, CubicIsClampedAndReproducesCubics) {
  // One span: the Bernstein polynomials.
  const TimeBasis one(Kind::cubic, 4, 0, 1);
  for (const double t : {0.0, 0.2, 0.7, 1.0}) {
    const std::vector<double> phi = one.values(t);
    const double s = 1 - t, bernstein[] = {s * s * s, 3 * t * s * s, 3 * t * t * s, t * t * t};
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(phi[i], bernstein[i], 1e-15);
  }
  // Marsden: Σ_i ξ_i1 ξ_i2 ξ_i3 φ_i(t) = t³ with the inner knots ξ of each function.
  const int size = 8, spans = size - 3;
  const TimeBasis basis(Kind::cubic, size, 0, 1);
  const auto knot = [&](int i) { return std::clamp(double(i - 3) / spans, 0.0, 1.0); };
  for (int k = 0; k <= 100; ++k) {
    const double t = k / 100.0;
    const std::vector<double> phi = basis.values(t);
    double cube = 0, line = 0;
    for (int i = 0; i < size; ++i) {
      cube += knot(i + 1) * knot(i + 2) * knot(i + 3) * phi[i];
      line += (knot(i + 1) + knot(i + 2) + knot(i + 3)) / 3 * phi[i];
    }
    EXPECT_NEAR(cube, t * t * t, 1e-14);
    EXPECT_NEAR(line, t, 1e-14);
  }
}

TEST(TimeBasis, LinearInterpolatesAndConstantCounts) {
  const TimeBasis linear(Kind::linear, 4, 0, 3), constant(Kind::constant, 3, 0, 3);
  EXPECT_EQ(linear.values(1), (std::vector<double>{0, 1, 0, 0}));
  EXPECT_EQ(linear.values(2.25), (std::vector<double>{0, 0, 0.75, 0.25}));
  EXPECT_EQ(linear.values(3), (std::vector<double>{0, 0, 0, 1}));
  EXPECT_EQ(constant.values(0.99), (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(constant.values(1.01), (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(constant.values(3), (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(TimeBasis(Kind::constant, 1, 0, 3).values(2), std::vector<double>{1});
}

TEST(TimeBasis, FourierIsOrthogonal) {
  const int size = 9, points = 64;
  const TimeBasis basis(Kind::fourier, size, 1, 4);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      double inner = 0;  // the rule of rectangles is exact here
      for (int k = 0; k < points; ++k) {
        const std::vector<double> phi = basis.values(1 + 3.0 * k / points);
        inner += phi[i] * phi[j] / points;
      }
      EXPECT_NEAR(inner, i != j ? 0 : i == 0 ? 1 : 0.5, 1e-14) << i << " " << j;
    }
  EXPECT_NEAR(basis.values(1.3)[3], std::cos(4 * std::numbers::pi * 0.1), 1e-14);
  EXPECT_NEAR(basis.values(1.3)[4], std::sin(4 * std::numbers::pi * 0.1), 1e-14);
}

TEST(TimeBasis, OutsideKeepsTheEndAndFourierGoesOn) {
  for (const Kind kind : {Kind::constant, Kind::linear, Kind::cubic}) {
    const TimeBasis basis(kind, 6, 0, 2);
    EXPECT_EQ(basis.values(-3), basis.values(0));
    EXPECT_EQ(basis.values(7), basis.values(2));
    EXPECT_EQ(basis.values(0)[0], 1);
    EXPECT_EQ(basis.values(2)[5], 1);
  }
  const TimeBasis basis(Kind::fourier, 5, 0, 2);
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(basis.values(0.3)[i], basis.values(2.3)[i], 1e-14);
}

TEST(TimeBasis, RefusesBadSizes) {
  EXPECT_THROW(TimeBasis(Kind::constant, 0, 0, 1), std::invalid_argument);
  EXPECT_THROW(TimeBasis(Kind::linear, 1, 0, 1), std::invalid_argument);
  EXPECT_THROW(TimeBasis(Kind::cubic, 3, 0, 1), std::invalid_argument);
  EXPECT_THROW(TimeBasis(Kind::fourier, 4, 0, 1), std::invalid_argument);
  EXPECT_THROW(TimeBasis(Kind::fourier, 0, 0, 1), std::invalid_argument);
  EXPECT_THROW(TimeBasis(Kind::linear, 4, 1, 1), std::invalid_argument);
  EXPECT_THROW(TimeBasis(Kind::linear, 4, 2, 1), std::invalid_argument);
  EXPECT_THROW(TimeBasis(Kind::linear, 4, 0, std::nan("")), std::invalid_argument);
  EXPECT_NO_THROW(TimeBasis(Kind::fourier, 1, 0, 1));
}

}  // namespace
}  // namespace invar
