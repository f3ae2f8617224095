#include "libfem/design/boundary/bspline_boundary_map.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <stdexcept>

#include "tests/unit/design/map_checks.hpp"

namespace invar {
namespace {

using test::displacements, test::number_of, test::random_values;

TEST(BsplineBoundaryMap, AllControlPointsTogetherShiftTheCurve) {
  const auto s = random_values(50, 1, 0, 1);
  for (bool closed : {false, true})
    for (int degree : {1, 2, 3}) {
      BsplineBoundaryOptions options;
      options.degree = degree;
      options.closed = closed;
      const auto map = make_bspline_boundary_map(s, options);
      ASSERT_EQ(map->size(), 16);
      std::vector<double> theta;
      for (int i = 0; i < 8; ++i) theta.insert(theta.end(), {0.3, -0.7});
      const auto w = displacements(*map, 2, theta);
      for (int p = 0; p < 50; ++p) {
        EXPECT_NEAR(w[2 * p], 0.3, 1e-15);
        EXPECT_NEAR(w[2 * p + 1], -0.7, 1e-15);
      }
    }
}

// Cubic splines with knots at 0, 1/4, …: 1/6, 2/3, 1/6 of three neighbours.
TEST(BsplineBoundaryMap, ClosedCurvesWrapAround) {
  BsplineBoundaryOptions options;
  options.closed = true;
  options.control_points = 4;
  options.components = {false, true};
  const auto map = make_bspline_boundary_map({0, 0.25, 0.5, 0.75, 1}, options);
  EXPECT_EQ(map->names(), (std::vector<std::string>{"bspline_0_y", "bspline_1_y", "bspline_2_y", "bspline_3_y"}));
  const auto w = displacements(*map, 2, {6, 0, 0, 0});
  const std::vector<double> expected{0, 4, 0, 1, 0, 0, 0, 1, 0, 4};
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(w[i], expected[i], 1e-15);
}

TEST(BsplineBoundaryMap, MovesAlongTheNormals) {
  std::vector<double> s, normals;
  for (int p = 0; p < 24; ++p) {
    s.push_back(p / 24.0);
    normals.insert(normals.end(), {std::cos(2 * std::numbers::pi * s[p]), std::sin(2 * std::numbers::pi * s[p])});
  }
  BsplineBoundaryOptions options;
  options.closed = options.along_normals = true;
  options.normals = normals;
  const auto map = make_bspline_boundary_map(s, options);
  EXPECT_EQ(map->size(), 8);
  EXPECT_EQ(map->names()[7], "bspline_7_n");
  EXPECT_LT(test::distance(displacements(*map, 2, std::vector<double>(8, 0.1)),
                           test::moved(std::vector<double>(48, 0.0), 0.1, normals)),
            1e-15);  // the circle grows
  test::check_derivatives(*map, 2, random_values(8, 3));

  options.normals.pop_back();
  EXPECT_THROW(make_bspline_boundary_map(s, options), std::invalid_argument);
  options.normals.clear();  // a rank without points has the same numbers
  EXPECT_EQ(make_bspline_boundary_map({}, options)->names(), map->names());
}

TEST(BsplineBoundaryMap, FrozenEndsJoinWithoutMotionAndSlope) {
  BsplineBoundaryOptions options;
  options.frozen = {2, 1};
  const double step = 1e-4;
  const auto map = make_bspline_boundary_map({0, step, 2 * step, 1, 1 - step, 1 - 2 * step}, options);
  EXPECT_EQ(map->size(), 10);
  EXPECT_EQ(map->names().front(), "bspline_2_x");
  EXPECT_EQ(map->names().back(), "bspline_6_y");
  const auto w = displacements(*map, 2, random_values(10, 4, 0.5, 1));
  for (int d = 0; d < 2; ++d) {
    EXPECT_EQ(w[d], 0);
    EXPECT_NEAR(w[4 + d] / w[2 + d], 4, 0.02);  // one continuous derivative
    EXPECT_EQ(w[6 + d], 0);
    EXPECT_NEAR(w[10 + d] / w[8 + d], 2, 0.02);  // none
  }
}

TEST(BsplineBoundaryMap, SaysWhatIsWrong) {
  const auto throws = [](auto change) {
    BsplineBoundaryOptions options;
    change(options);
    EXPECT_THROW(make_bspline_boundary_map({0, 1}, options), std::invalid_argument);
  };
  throws([](auto& o) { o.control_points = 3; });
  throws([](auto& o) { o.closed = true, o.frozen = {1, 0}; });
  throws([](auto& o) { o.frozen = {4, 4}; });
  throws([](auto& o) { o.components = {false, false}; });
}

}  // namespace
}  // namespace invar
