#include "libfem/design/boundary/rigid_motion_map.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <stdexcept>

#include "tests/unit/design/map_checks.hpp"

namespace invar {
namespace {

using test::displacements, test::random_values;

/// x + w
std::vector<double> places(const std::vector<double>& points, int dim, const RigidMotion::Options& options,
                           const std::vector<double>& theta) {
  return test::moved(points, 1, displacements(RigidMotionMap(points, RigidMotion(dim, options)), dim, theta));
}
double gap(const std::vector<double>& x, int dim, int p, int q) {
  double sum = 0;
  for (int d = 0; d < dim; ++d) sum += std::pow(x[p * dim + d] - x[q * dim + d], 2);
  return std::sqrt(sum);
}

TEST(RigidMotionMap, TurnsCounterClockwiseAboutTheCentre) {
  const auto x = places({3, 1, 2, 2, 2, 1}, 2, {{2, 1, 0}}, {std::numbers::pi / 2, 0, 0});
  EXPECT_LT(test::distance(x, {2, 2, 1, 1, 2, 1}), 1e-15);
  const double a = 0.3;
  const auto y = places({3, 1}, 2, {{2, 1, 0}}, {a, 0.5, -4});
  EXPECT_LT(test::distance(y, {2 + std::cos(a) + 0.5, 1 + std::sin(a) - 4}), 1e-15);
}

TEST(RigidMotionMap, AThirdOfATurnAboutTheDiagonalPermutesTheAxes) {
  RigidMotion::Options options;
  options.axis = {2, 2, 2};
  const auto x = places({1, 2, 3}, 3, options, {2 * std::numbers::pi / 3, 0, 0, 0});
  EXPECT_LT(test::distance(x, {3, 1, 2}), 4e-15);
}

TEST(RigidMotionMap, IsAnIsometryThatKeepsHandednessAndItsAxis) {
  RigidMotion::Options options{{0.3, -0.2, 0.9}, {1, -2, 0.5}, true, {true, true, true}};
  auto points = random_values(30, 1);
  for (int k = 0; k < 2; ++k)  // two points on the axis
    for (int d = 0; d < 3; ++d) points.push_back(options.centre[d] + (k + 1) * options.axis[d]);
  const auto x = places(points, 3, options, {2.1, 0.4, -0.5, 0.6});
  for (int p = 0; p < 12; ++p)
    for (int q = 0; q < p; ++q) EXPECT_NEAR(gap(x, 3, p, q), gap(points, 3, p, q), 1e-14);
  for (int p = 10; p < 12; ++p) {
    EXPECT_NEAR(x[3 * p] - points[3 * p], 0.4, 1e-14);
    EXPECT_NEAR(x[3 * p + 1] - points[3 * p + 1], -0.5, 1e-14);
    EXPECT_NEAR(x[3 * p + 2] - points[3 * p + 2], 0.6, 1e-14);
  }
  const auto volume = [](const std::vector<double>& y) {
    const auto e = [&](int p, int d) { return y[3 * p + d] - y[d]; };
    return e(1, 0) * (e(2, 1) * e(3, 2) - e(2, 2) * e(3, 1)) - e(1, 1) * (e(2, 0) * e(3, 2) - e(2, 2) * e(3, 0)) +
           e(1, 2) * (e(2, 0) * e(3, 1) - e(2, 1) * e(3, 0));
  };
  EXPECT_NEAR(volume(x), volume(points), 1e-14);
}

TEST(RigidMotionMap, OnlyWhatIsFreeHasANumber) {
  RigidMotion::Options options;
  options.translates = {false, true, true};
  EXPECT_EQ(RigidMotion(2, options).names(), (std::vector<std::string>{"angle", "t_y"}));
  EXPECT_EQ(RigidMotion(3, options).names(), (std::vector<std::string>{"angle", "t_y", "t_z"}));
  options.rotates = false;
  EXPECT_EQ(RigidMotion(3, options).names(), (std::vector<std::string>{"t_y", "t_z"}));
  EXPECT_LT(test::distance(places({1, 2, 3}, 3, options, {10, 20}), {1, 12, 23}), 1e-14);
  options.translates = {};
  EXPECT_THROW(RigidMotion(3, options), std::invalid_argument);
  EXPECT_THROW(RigidMotion(3, {{}, {0, 0, 0}, true, {}}), std::invalid_argument);
}

TEST(RigidMotionMap, DerivativesAreExact) {
  for (int dim : {2, 3})
    for (bool rotates : {true, false})
      for (bool shifts : {true, false}) {
        if (!rotates && !shifts) continue;
        SCOPED_TRACE(testing::Message() << dim << "-D, rotates " << rotates << ", shifts " << shifts);
        const RigidMotion::Options options{{0.5, 0.1, -0.3}, {0.2, 1, -0.4}, rotates, {shifts, true, shifts}};
        const RigidMotionMap map(random_values(8 * dim, 5), RigidMotion(dim, options));
        EXPECT_EQ(map.point_count(), 8);
        test::check_derivatives(map, dim, random_values(map.size(), 6));
      }
}

}  // namespace
}  // namespace invar
