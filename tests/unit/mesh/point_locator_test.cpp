#include "libfem/mesh/point_locator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/read_gmsh.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

Mesh data_mesh(const std::string& name) {
  return read_gmsh(std::string(INVAR_SOURCE_DIR) + "/tests/unit/mesh/data/" + name);
}

std::array<double, 3> place(const Mesh& mesh, int b, int cell, const double* xi) {
  const CellBlock& block = mesh.cells[b];
  double N[27];
  shape_values(block.type, xi, N);
  std::array<double, 3> x{};
  for (int a = 0; a < node_count(block.type); ++a)
    for (int d = 0; d < mesh.dim; ++d)
      x[d] +=
          N[a] * mesh.coordinates[block.nodes[cell * node_count(block.type) + a] * mesh.dim + d];
  return x;
}

std::vector<Mesh> meshes() {
  return {make_rectangle(0, 0, 2, 1, 5, 4, Shape::triangle),
          make_box({0, 0, 0}, {1, 1, 1}, {3, 2, 3}, Shape::tetrahedron, 2),
          make_box({5, 5, 5}, {6, 7, 8}, {2, 3, 2}, Shape::hexahedron, 1),
          data_mesh("ring.msh"),
          data_mesh("tube.msh"),
          data_mesh("ball.msh")};
}

// Newton stops with a relative error below 1e-9 squared; what remains is rounding.
TEST(PointLocator, FindsThePointsOfEveryCellAgain) {
  const double xi[] = {0.23, 0.31, 0.17};
  for (const Mesh& mesh : meshes()) {
    const PointLocator locator(mesh);
    for (size_t b = 0; b < mesh.cells.size(); ++b)
      for (int c = 0; c < mesh.cells[b].count(); ++c) {
        const auto x = place(mesh, static_cast<int>(b), c, xi);
        const CellPosition found = locator.find(x.data());
        EXPECT_EQ(found.block, static_cast<int>(b));
        EXPECT_EQ(found.cell, c);
        EXPECT_EQ(found.distance, 0);
        for (int d = 0; d < mesh.dim; ++d) EXPECT_NEAR(found.xi[d], xi[d], 1e-12);
      }
  }
}

TEST(PointLocator, FindsNodesInACellThatHoldsThem) {
  for (const Mesh& mesh : meshes()) {
    const PointLocator locator(mesh);
    for (int i = 0; i < mesh.node_total(); ++i) {
      const double* point = &mesh.coordinates[i * mesh.dim];
      const CellPosition found = locator.find(point);
      EXPECT_EQ(found.distance, 0);
      const auto x = place(mesh, found.block, found.cell, found.xi.data());
      for (int d = 0; d < mesh.dim; ++d) EXPECT_NEAR(x[d], point[d], 1e-9);
    }
  }
}

TEST(PointLocator, TellsTheDistanceOfAPointOutside) {
  const Mesh box = make_box({0, 0, 0}, {1, 1, 1}, {3, 3, 3}, Shape::tetrahedron);
  const PointLocator locator(box);
  const double beside[] = {1.5, 0.4, 0.6}, corner[] = {2, 2, -1};
  EXPECT_NEAR(locator.find(beside).distance, 0.5, 1e-6);
  EXPECT_NEAR(locator.find(corner).distance, std::sqrt(3.0), 1e-6);
}

// The hole of the ring has radius 1; quadratic cells, six round the quarter, stand off the circle
// by less than 1e-4.
TEST(PointLocator, TellsTheDistanceFromACurvedCell) {
  const Mesh ring = data_mesh("ring.msh");
  const double inside_hole[] = {0.5 * std::cos(0.3), 0.5 * std::sin(0.3)};
  EXPECT_NEAR(PointLocator(ring).find(inside_hole).distance, 0.5, 1e-4);
}

TEST(PointLocator, MarkersHaveOneOwnerWhichFindsThem) {
  const Mesh mesh =
      distribute(make_box({0, 0, 0}, {1, 1, 1}, {4, 4, 4}, Shape::tetrahedron, 2), MPI_COMM_WORLD);
  const std::vector<double> points = {0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 1, 1, 1, 0.9, 0.1, 3};
  const auto owners = locate_markers(mesh, points);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ASSERT_EQ(owners.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    int lowest = owners[i].rank, highest = lowest;
    MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_EQ(lowest, highest);
    EXPECT_NEAR(owners[i].distance, i < 3 ? 0 : 2, 1e-6);
    if (rank != owners[i].rank || i == 3) continue;
    EXPECT_LT(owners[i].here.cell, mesh.cells[0].n_owned);
    const auto x = place(mesh, owners[i].here.block, owners[i].here.cell, owners[i].here.xi.data());
    for (int d = 0; d < 3; ++d) EXPECT_NEAR(x[d], points[3 * i + d], 1e-9);
  }
}

TEST(PointLocator, IsAtAnInfiniteDistanceWithoutCells) {
  Mesh empty;
  empty.dim = 2;
  const double point[] = {0, 0};
  const CellPosition found = PointLocator(empty).find(point);
  EXPECT_EQ(found.cell, -1);
  EXPECT_EQ(found.distance, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace invar
