#include "libfem/design/geometry/corner_angle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "libfem/mesh/distribute.hpp"
#include "tests/unit/form/test_meshes.hpp"

namespace invar {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// A plate whose left side is drawn out to a corner: its place behind the tip as a function of the height over the
/// axis.
Mesh pointed(const std::function<double(double height)>& behind) {
  return test::warped(make_rectangle(0, 0, 1, 1, 4, 20, Shape::quadrilateral, 2),
                      [&](double* x) { x[0] = x[0] + (1 - x[0]) * (behind(std::abs(x[1] - 0.5)) - 1); });
}

double angle(const Mesh& serial, const CornerOptions& options) {
  const Mesh mesh = distribute(serial, PETSC_COMM_WORLD);
  return corner_angle(mesh, "left", mesh.coordinates, options);
}

TEST(CornerAngle, OfAWedgeIsItsOwn) {
  for (const double half : {20.0, 51.3, 70.0}) {
    const Mesh wedge = pointed([&](double height) { return height / std::tan(half * degree); });
    EXPECT_NEAR(angle(wedge, {.range = {0.02, 0.5}}), 2 * half, 1e-9);
  }
}

// A parabola height = behind + ½ behind² has a right angle in its corner, which straight lines would miss.
TEST(CornerAngle, OfCurvedSidesIsThatOfTheirTangents) {
  const Mesh curved = pointed([](double height) { return std::sqrt(1 + 2 * height) - 1; });
  EXPECT_NEAR(angle(curved, {.range = {0.05, 0.4}}), 90, 1e-8);
}

TEST(CornerAngle, OfAMeridianIsTwiceThatToTheAxis) {
  // The axis is y; the curve begins on it with 60° between itself and the axis.
  const Mesh body = test::warped(make_rectangle(0, 0, 1, 1, 4, 20, Shape::quadrilateral, 2), [](double* x) {
    const double r = x[1], y = x[0] + (1 - x[0]) * (r / std::tan(60 * degree) - 1);
    x[0] = r, x[1] = y;
  });
  EXPECT_NEAR(angle(body, {.axis = 1, .range = {0.05, 0.5}, .one_sided = true}), 120, 1e-9);
}

TEST(CornerAngle, NeedsThreeNodesOnEachSide) {
  const Mesh wedge = pointed([](double height) { return height; });
  EXPECT_TRUE(std::isnan(angle(wedge, {.range = {0.001, 0.04}})));
  EXPECT_THROW(corner_angle(wedge, "body", wedge.coordinates, {.range = {0, 1}}), std::invalid_argument);
}

}  // namespace
}  // namespace invar
