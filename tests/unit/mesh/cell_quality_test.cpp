#include "libfem/mesh/cell_quality.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"

namespace invar {
namespace {

double quality(CellType type, const std::vector<double>& x) {
  std::vector<int> nodes(node_count(type));
  for (size_t i = 0; i < nodes.size(); ++i) nodes[i] = static_cast<int>(i);
  return CellQuality(type).at_nodes(x.data(), nodes.data()).low;
}

TEST(CellQuality, IsOneForTheRegularCells) {
  EXPECT_NEAR(quality({Shape::triangle, 1}, {0, 0, 1, 0, 0.5, std::sqrt(0.75)}), 1, 1e-15);
  EXPECT_NEAR(quality({Shape::tetrahedron, 1}, {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1}), -1,
              1e-15);
  EXPECT_NEAR(quality({Shape::tetrahedron, 1}, {1, 1, 1, -1, 1, -1, 1, -1, -1, -1, -1, 1}), 1,
              1e-15);
  EXPECT_NEAR(quality({Shape::quadrilateral, 1}, {0, 0, 2, 0, 2, 2, 0, 2}), 1, 1e-15);
}

// Angles of 45°, 45°, 90°: det / (product of the two longest edges) is 1/√2 at the sharp corners,
// over sin 60°. The corner tetrahedron: 1/2 at its three outer corners, times √2. A parallelogram:
// the sine of its angle.
TEST(CellQuality, HasTheValuesOfKnownCells) {
  EXPECT_NEAR(quality({Shape::triangle, 1}, {0, 0, 3, 0, 0, 3}), std::sqrt(2.0 / 3), 1e-15);
  EXPECT_NEAR(quality({Shape::tetrahedron, 1}, {0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2}),
              std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(quality({Shape::quadrilateral, 1}, {0, 0, 1, 0, 2, 1, 1, 1}), std::sqrt(0.5), 1e-15);
}

TEST(CellQuality, IsNegativeForACellTurnedOverAndZeroForAFlatOne) {
  EXPECT_LT(quality({Shape::triangle, 1}, {0, 0, 0, 1, 1, 0}), -0.5);
  EXPECT_EQ(quality({Shape::triangle, 1}, {0, 0, 1, 0, 2, 0}), 0);
  EXPECT_EQ(quality({Shape::triangle, 1}, {0, 0, 0, 0, 0, 0}), 0);
}

// The middle of an edge pushed beyond the opposite vertex turns the cell inside out there, though
// its vertices make a good triangle.
TEST(CellQuality, SeesCurvature) {
  const std::vector<double> x = {0, 0, 1, 0, 0, 1, 0.5, 0.6, 0.5, 0.5, 0, 0.5};
  EXPECT_LT(quality({Shape::triangle, 2}, x), 0);
}

TEST(CellQuality, WorstOfTheMeshIsTheSameOnAnyNumberOfRanks) {
  Mesh serial = make_box({0, 0, 0}, {1, 1, 1}, {4, 4, 4}, Shape::hexahedron, 2);
  EXPECT_NEAR(worst_scaled_jacobian(serial), 1, 1e-12);
  serial.coordinates[0] += 0.1;
  const double worst = worst_scaled_jacobian(serial);
  EXPECT_LT(worst, 0.99);
  EXPECT_EQ(worst_scaled_jacobian(distribute(serial, MPI_COMM_WORLD)), worst);
  EXPECT_EQ(scaled_jacobians(serial, 0)[0], worst);
}

}  // namespace
}  // namespace invar
