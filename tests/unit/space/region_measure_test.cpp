#include "libfem/space/region_measure.hpp"

#include <gtest/gtest.h>

#include "libfem/mesh/boxes.hpp"

namespace invar {
namespace {

TEST(RegionMeasure, BoxesAndTheirSides) {
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron})
    for (const int order : {1, 2}) {
      const Mesh box = make_box({0, 0, 0}, {2, 3, 0.5}, {2, 2, 1}, shape, order);
      EXPECT_NEAR(region_measure(box, *box.find_region("body")), 3, 1e-13);
      EXPECT_NEAR(region_measure(box, *box.find_region("right")), 1.5, 1e-13);
      EXPECT_NEAR(region_measure(box, *box.find_region("front")), 6, 1e-13);
    }
}

// A square whose upper side is lifted to y = 1 + x (1 − x): area 7/6, length ∫ √(1 + (1 − 2x)²) dx = (√2 + asinh 1)/2.
TEST(RegionMeasure, CurvedSide) {
  Mesh square = make_rectangle(0, 0, 1, 1, 1, 1, Shape::quadrilateral, 2);
  for (int node = 0; node < square.node_total(); ++node) {
    double* x = &square.coordinates[2 * node];
    x[1] *= 1 + x[0] * (1 - x[0]);
  }
  EXPECT_NEAR(region_measure(square, *square.find_region("body")), 7.0 / 6, 1e-13);
  EXPECT_NEAR(region_measure(square, *square.find_region("top")), (std::sqrt(2.0) + std::asinh(1.0)) / 2, 1e-4);
  EXPECT_EQ(region_measure(square, *square.find_region("left_top")), 0);
}

}  // namespace
}  // namespace invar
