#include "libfem/design/boundary/hicks_henne_map.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/unit/design/airfoils.hpp"
#include "tests/unit/design/map_checks.hpp"

namespace invar {
namespace {

using test::displacements, test::naca_points, test::number_of, test::random_values, test::unit_chord;

std::vector<double> unit(const BoundaryMap& map, const std::string& name) {
  std::vector<double> theta(map.size(), 0.0);
  theta.at(number_of(map, name)) = 1;
  return theta;
}

TEST(HicksHenneMap, BumpsHaveTheirPeakWhereTheyShould) {
  HicksHenneOptions options;
  options.upper_bumps = options.lower_bumps = 4;
  for (int k = 1; k <= 4; ++k) {
    const double peak = k / 5.0;
    const auto map =
        make_hicks_henne_map({peak, 0.1, peak - 1e-3, 0.1, peak + 1e-3, 0.1, peak, -0.1}, 2, unit_chord, options);
    const auto w = displacements(*map, 2, unit(*map, "upper_" + std::to_string(k)));
    EXPECT_NEAR(w[1], 1, 1e-14);
    EXPECT_LT(w[3], 1);
    EXPECT_LT(w[5], 1);
    EXPECT_NEAR(w[3], 1, 1e-4);
    EXPECT_EQ(w[7], 0);  // the lower side has bumps of its own
    EXPECT_NEAR(displacements(*map, 2, unit(*map, "lower_" + std::to_string(k)))[7], 1, 1e-14);
  }
}

// The bump at mid-chord is sin^t(πx): sin(π/6) = 1/2.
TEST(HicksHenneMap, TheWidthIsTheExponentOfTheSine) {
  for (double width : {1.0, 2.0, 3.0, 4.5}) {
    const auto map = make_hicks_henne_map({1. / 6, 0, 5. / 6, -0.01}, 2, unit_chord, {1, 1, width});
    const auto w = displacements(*map, 2, {1, 1});
    EXPECT_NEAR(w[1], std::pow(0.5, width), 1e-14);
    EXPECT_NEAR(w[3], std::pow(0.5, width), 1e-14);
  }
}

TEST(HicksHenneMap, TheEdgesStay) {
  const auto points = naca_points(40, 0.12);
  const auto map = make_hicks_henne_map(points, 2, unit_chord);
  EXPECT_EQ(map->size(), 16);
  const auto w = displacements(*map, 2, random_values(16, 1));
  for (int p : {0, 40, 41, 81})
    for (int d = 0; d < 2; ++d) EXPECT_EQ(w[2 * p + d], 0) << p;
  const auto beyond = make_hicks_henne_map({-0.1, 0.1, 1.2, 0}, 2, unit_chord);
  EXPECT_EQ(test::largest(displacements(*beyond, 2, random_values(16, 1))), 0);
}

// A turned, larger section moves alike, along its own normal; in 3-D all along the span.
TEST(HicksHenneMap, FollowsTheChord) {
  const auto points = naca_points(10, 0.12);
  const double c = 2.5 * std::cos(0.4), s = 2.5 * std::sin(0.4);
  std::vector<double> turned, wing;
  for (std::size_t i = 0; i < points.size(); i += 2) {
    const double x = 3 + c * points[i] - s * points[i + 1], y = -1 + s * points[i] + c * points[i + 1];
    turned.insert(turned.end(), {x, y});
    wing.insert(wing.end(), {x, y, 0.1 * static_cast<double>(i)});
  }
  const AirfoilChord chord({3, -1}, {3 + c, -1 + s});
  const auto theta = random_values(16, 2);
  const auto w = displacements(*make_hicks_henne_map(points, 2, unit_chord), 2, theta);
  const auto turned_w = displacements(*make_hicks_henne_map(turned, 2, chord), 2, theta);
  const auto wing_w = displacements(*make_hicks_henne_map(wing, 3, chord), 3, theta);
  for (std::size_t p = 0; p < points.size() / 2; ++p) {
    if (p == 0 || p == 10 || p == 11 || p == 21) continue;  // the edges: sides by round-off
    EXPECT_NEAR(turned_w[2 * p], -std::sin(0.4) * w[2 * p + 1], 1e-13);
    EXPECT_NEAR(turned_w[2 * p + 1], std::cos(0.4) * w[2 * p + 1], 1e-13);
    EXPECT_EQ(wing_w[3 * p], turned_w[2 * p]);
    EXPECT_EQ(wing_w[3 * p + 1], turned_w[2 * p + 1]);
    EXPECT_EQ(wing_w[3 * p + 2], 0);
  }
}

TEST(HicksHenneMap, DerivativesAreExactAndMistakesAreTold) {
  const auto points = naca_points(10, 0.12);
  const auto map = make_hicks_henne_map(points, 2, unit_chord, {3, 2, 2.5});
  EXPECT_EQ(map->names(), (std::vector<std::string>{"upper_1", "upper_2", "upper_3", "lower_1", "lower_2"}));
  test::check_derivatives(*map, 2, random_values(5, 3));
  EXPECT_THROW(make_hicks_henne_map(points, 2, unit_chord, {0, 0, 3}), std::invalid_argument);
  EXPECT_THROW(make_hicks_henne_map(points, 2, unit_chord, {2, 2, 0}), std::invalid_argument);
  EXPECT_THROW(AirfoilChord({1, 1}, {1, 1}), std::invalid_argument);
}

}  // namespace
}  // namespace invar
