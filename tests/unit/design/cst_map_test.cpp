#include "libfem/design/boundary/cst_map.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/unit/design/airfoils.hpp"
#include "tests/unit/design/map_checks.hpp"

namespace invar {
namespace {

using test::displacements, test::naca_half_thickness, test::naca_points, test::number_of, test::random_values, test::unit_chord;
using TrailingEdge = CstOptions::TrailingEdge;

// Equal coefficients give the class function alone: √x (1 − x), whose highest point is 2/(3√3) at 1/3.
TEST(CstMap, EqualCoefficientsAreTheClassFunction) {
  for (int n : {1, 4, 7}) {
    CstOptions options;
    options.upper_coefficients = n;
    options.lower_coefficients = 3;
    const auto map = make_cst_map({1. / 3, 0.1, 0.25, 0.1, 0.25, -0.1}, 2, unit_chord, options);
    std::vector<double> theta(n + 3, 0.0);
    std::fill_n(theta.begin(), n, 1.0);
    const auto w = displacements(*map, 2, theta);
    EXPECT_NEAR(w[1], 2 / (3 * std::sqrt(3)), 1e-15);
    EXPECT_NEAR(w[3], 0.375, 1e-15);
    EXPECT_EQ(w[5], 0);
  }
}

/// Coefficients of the upper side that fit a NACA section best, and the largest error, chords. Least
/// squares by Gram and Schmidt.
std::vector<double> fit_naca(int n, double thickness, double& error) {
  const auto points = naca_points(60, thickness);
  CstOptions options;
  options.upper_coefficients = n;
  options.lower_coefficients = 0;
  const auto map = make_cst_map(points, 2, unit_chord, options);
  std::vector<double> left = points, factors(n * n, 0.0), A(n, 0.0);
  for (std::size_t i = 0; i < left.size(); ++i)
    if (i % 2 == 0 || i > 2 * 60 + 1) left[i] = 0;  // y of the upper side
  std::vector<std::vector<double>> Q;
  for (int i = 0; i < n; ++i) {
    std::vector<double> theta(n, 0.0);
    theta[i] = 1;
    auto column = displacements(*map, 2, theta);
    for (int j = 0; j < i; ++j) column = test::moved(column, -(factors[j * n + i] = test::dot(Q[j], column)), Q[j]);
    factors[i * n + i] = std::sqrt(test::dot(column, column));
    Q.push_back(test::moved(std::vector<double>(column.size(), 0.0), 1 / factors[i * n + i], column));
    left = test::moved(left, -(A[i] = test::dot(Q[i], left)), Q[i]);
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) A[i] -= factors[i * n + j] * A[j];
    A[i] /= factors[i * n + i];
  }
  error = test::largest(left);
  return A;
}

// Few coefficients give a section to the tolerance of wind-tunnel models, 4e-4 of the chord (Kulfan). As
// they become more, the first goes to √(2 r/c), with NACA's nose radius r = 1.1019 t² c, and the last
// to the slope of the boat tail.
TEST(CstMap, FitsNacaSections) {
  const double t = 0.12, nose = std::sqrt(2 * 1.1019) * t;
  const double tail = (naca_half_thickness(1 - 1e-6, t) - naca_half_thickness(1, t)) / 1e-6;
  double error, finer_error;
  const auto A = fit_naca(6, t, error), finer = fit_naca(12, t, finer_error);
  EXPECT_LT(error, 4e-4);
  EXPECT_LT(finer_error, 0.5 * error);
  const auto off = [](double value, double expected) { return std::abs(value / expected - 1); };
  EXPECT_LT(off(A[0], nose), 0.05);
  EXPECT_LT(off(finer[0], nose), 0.7 * off(A[0], nose));
  EXPECT_LT(off(A[5], tail), 0.02);
  EXPECT_LT(off(finer[11], tail), 0.7 * off(A[5], tail));
}

TEST(CstMap, TheEdgesStay) {
  const auto points = naca_points(40, 0.12);
  const auto map = make_cst_map(points, 2, unit_chord);
  const auto w = displacements(*map, 2, random_values(map->size(), 1));
  for (int p : {0, 40, 41, 81})
    for (int d = 0; d < 2; ++d) EXPECT_EQ(w[2 * p + d], 0);
}

// A sharp trailing edge that moves stays in one piece, and both sides follow in proportion.
TEST(CstMap, TheTrailingEdgeMovesAsOne) {
  CstOptions options;
  options.trailing_edge = TrailingEdge::moved;
  const auto points = naca_points(20, 0.12);
  const auto map = make_cst_map(points, 2, unit_chord, options);
  EXPECT_EQ(map->names().back(), "trailing_edge");
  std::vector<double> theta(map->size(), 0.0);
  theta.back() = 0.02;
  const auto w = displacements(*map, 2, theta);
  for (std::size_t p = 0; p < points.size() / 2; ++p) EXPECT_NEAR(w[2 * p + 1], 0.02 * points[2 * p], 1e-16);
}

TEST(CstMap, ABluntTrailingEdgeOpensLinearlyBetweenItsCorners) {
  CstOptions options;
  options.trailing_edge = TrailingEdge::opened;
  options.base = {-0.01, 0.03};  // of a chord of 2
  const AirfoilChord chord({0, 0}, {2, 0});
  const auto map = make_cst_map({2, 0.03, 2, 0.02, 2, 0, 2, -0.01, 1, 0.2, 1, -0.2, 0, 0}, 2, chord, options);
  std::vector<double> theta(map->size(), 0.0);
  theta[number_of(*map, "upper_trailing_edge")] = 0.1;
  theta[number_of(*map, "lower_trailing_edge")] = -0.3;
  const auto w = displacements(*map, 2, theta);
  const double expected[] = {0.2, 0.0, -0.4, -0.6, 0.1, -0.3, 0};
  for (int p = 0; p < 7; ++p) EXPECT_NEAR(w[2 * p + 1], expected[p], 1e-14) << p;
}

TEST(CstMap, DisplacementsAreAlongTheNormalInProportionToTheChord) {
  const AirfoilChord chord({0, 0}, {0, -2});  // points down: the upper side is on the right
  CstOptions options;
  options.upper_coefficients = options.lower_coefficients = 1;
  const auto w = displacements(*make_cst_map({0.1, -0.5, 5, -0.1, -0.5, 5}, 3, chord, options), 3, {1, 3});
  const std::vector<double> expected{0.75, 0, 0, 2.25, 0, 0};  // 2 · √¼ · ¾ along +x
  EXPECT_LT(test::distance(w, expected), 1e-15);
}

TEST(CstMap, DerivativesAreExactAndMistakesAreTold) {
  const auto points = naca_points(10, 0.12);
  CstOptions options;
  options.upper_coefficients = 2;
  options.lower_coefficients = 1;
  const auto map = make_cst_map(points, 2, unit_chord, options);
  EXPECT_EQ(map->names(), (std::vector<std::string>{"upper_0", "upper_1", "lower_0"}));
  test::check_derivatives(*map, 2, random_values(3, 3));
  options.trailing_edge = TrailingEdge::opened;
  EXPECT_THROW(make_cst_map(points, 2, unit_chord, options), std::invalid_argument);
  EXPECT_THROW(make_cst_map(points, 2, unit_chord, {0, 0, TrailingEdge::fixed, {}}), std::invalid_argument);
}

}  // namespace
}  // namespace invar
