#include "libfem/design/boundary/chained_map.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <stdexcept>

#include "libfem/design/boundary/ffd_map.hpp"
#include "libfem/design/boundary/rigid_motion_map.hpp"
#include "tests/unit/design/map_checks.hpp"

namespace invar {
namespace {

using test::displacements, test::random_values;

std::unique_ptr<BoundaryMap> lattice(const std::vector<double>& points, int dim) {
  return make_ffd_map(points, dim, {-1, -1, -1}, {1, 1, 1}, {2, 3, 2});
}

TEST(ChainedMap, TheShapeChangesFirstThenTheBodyMoves) {
  const std::vector<double> points{0.5, 0.25};
  const ChainedMap map(points, lattice(points, 2), RigidMotion(2, {}));
  ASSERT_EQ(map.size(), 12 + 3);
  EXPECT_EQ(map.names()[11], "ffd_1_2_y");
  EXPECT_EQ(map.names()[12], "angle");
  std::vector<double> theta(15, 0.0);
  for (int i = 0; i < 12; i += 2) theta[i] = 0.3;  // x: 0.5 → 0.8
  theta[12] = std::numbers::pi / 2;                // (0.8, 0.25) → (−0.25, 0.8)
  theta[14] = 2;                                   // → (−0.25, 2.8)
  EXPECT_LT(test::distance(displacements(map, 2, theta), {-0.75, 2.55}), 1e-15);
}

TEST(ChainedMap, MotionsInSuccessionAddTheirAngles) {
  const auto points = random_values(20, 1);
  const RigidMotion::Options about{{0.2, 0.7, 0}};
  const ChainedMap twice(points, std::make_unique<RigidMotionMap>(points, RigidMotion(2, about)),
                         RigidMotion(2, about));
  const RigidMotionMap once(points, RigidMotion(2, about));
  EXPECT_LT(
      test::distance(displacements(twice, 2, {0.4, 0, 0, 0.5, 0.1, 0.2}), displacements(once, 2, {0.9, 0.1, 0.2})),
      1e-14);
}

// Linear and non-linear shapes.
TEST(ChainedMap, DerivativesAreExact) {
  for (int dim : {2, 3}) {
    SCOPED_TRACE(dim);
    const auto points = random_values(7 * dim, 2);
    const RigidMotion::Options first{{0.1, -0.2, 0.3}, {1, 1, 0}, true, {true, false, true}};
    const RigidMotion::Options then{{0.5, 0.1, -0.3}, {0.2, 1, -0.4}, true, {false, true, true}};
    const ChainedMap linear(points, lattice(points, dim), RigidMotion(dim, then));
    test::check_derivatives(linear, dim, random_values(linear.size(), 3));
    const ChainedMap nonlinear(points, std::make_unique<RigidMotionMap>(points, RigidMotion(dim, first)),
                               RigidMotion(dim, then));
    test::check_derivatives(nonlinear, dim, random_values(nonlinear.size(), 4));
  }
}

TEST(ChainedMap, ShapeAndMotionHaveTheSamePoints) {
  EXPECT_THROW(ChainedMap({0, 0, 1, 1}, lattice({0, 0}, 2), RigidMotion(2, {})), std::invalid_argument);
}

}  // namespace
}  // namespace invar
