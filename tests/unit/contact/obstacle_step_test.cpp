// Steps against rigid obstacles.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "libfem/solid/obstacle_form.hpp"

namespace invar::contact_test {
namespace {

// Up to the time of impact a point stays outside; a little later it is inside. Distances by the form's own formula, whose test is
// `RigidContactForm.DistancesAreThoseToTheNearestPoint`.
template <int Dim>
void check_impacts(ObstacleShape shape) {
  std::mt19937_64 random(5);
  const auto uniform = [&](double size) { return size * (2 * std::generate_canonical<double, 53>(random) - 1); };
  const RigidContact<Dim> law{shape};
  int hits = 0, misses = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    double p[5 + 2 * Dim] = {1, 1, 0, 1}, away[Dim], step[Dim];
    for (int i = 0; i < Dim; ++i) {
      p[4 + Dim + i] = shape == ObstacleShape::box ? 0.3 + 0.2 * i : uniform(1);
      away[i] = uniform(2), step[i] = uniform(4);
    }
    if (trial % 50 == 0) step[trial / 50 % Dim] = 0;
    p[4 + 2 * Dim] = 0.5;
    const auto distance = [&](double t) {
      Vector<double, Dim> at, n;
      for (int i = 0; i < Dim; ++i) at[i] = away[i] + t * step[i];
      return law.template distance_to<double, double>(at, p, n);
    };
    if (distance(0) <= 0) continue;
    const double impact = time_of_impact(shape, Dim, away, step, p + 4 + Dim, 0.5);
    ASSERT_GE(impact, 0);
    const double until = std::min(impact, 3.0);
    for (int k = 0; k < 200; ++k) ASSERT_GT(distance(until * k / 200), 0) << trial;
    if (impact > 3) {
      ++misses;
      continue;
    }
    ++hits;
    EXPECT_NEAR(distance(impact), 0, 1e-12);
    EXPECT_LT(distance(impact * (1 + 1e-7)), 1e-12);
  }
  EXPECT_GT(hits, 80);
  EXPECT_GT(misses, 300);
}

TEST(ObstacleStep, EndsWhereAPointTouches) {
  for (const ObstacleShape shape : {ObstacleShape::plane, ObstacleShape::sphere, ObstacleShape::cylinder, ObstacleShape::box}) {
    check_impacts<2>(shape);
    check_impacts<3>(shape);
  }
}

}  // namespace
}  // namespace invar::contact_test
