#include "libfem/mesh/second_order.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/read_gmsh.hpp"
#include "tests/unit/mesh/measure.hpp"

namespace invar {
namespace {

// A straight second-order node lies where the first-order map of the vertices puts its place in the
// reference cell.
TEST(SecondOrder, NodesLieWhereTheVerticesPutThem) {
  for (Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
    const Mesh mesh = make_box({0, 0, 0}, {1, 2, 3}, {2, 1, 2}, shape, 2);
    for (const auto* blocks : {&mesh.cells, &mesh.facets})
      for (const CellBlock& block : *blocks) {
        const CellType linear{block.type.shape, 1};
        const int n = node_count(block.type), n_vertices = node_count(linear);
        const int k = dimension_of(block.type.shape);
        const auto places = reference_nodes(block.type);
        for (int c = 0; c < block.count(); ++c)
          for (int a = 0; a < n; ++a) {
            double N[8];
            shape_values(linear, &places[a * k], N);
            for (int d = 0; d < 3; ++d) {
              double x = 0;
              for (int v = 0; v < n_vertices; ++v)
                x += N[v] * mesh.coordinates[block.nodes[c * n + v] * 3 + d];
              EXPECT_NEAR(mesh.coordinates[block.nodes[c * n + a] * 3 + d], x, 1e-15);
            }
          }
      }
  }
}

TEST(SecondOrder, LoweringUndoesRaising) {
  const Mesh first = make_box({0, 0, 0}, {1, 2, 3}, {3, 2, 2}, Shape::tetrahedron, 1);
  const Mesh again = to_first_order(to_second_order(first));
  EXPECT_EQ(again.coordinates, first.coordinates);
  EXPECT_EQ(again.cells[0].nodes, first.cells[0].nodes);
  EXPECT_EQ(again.facets[0].nodes, first.facets[0].nodes);
  ASSERT_EQ(again.regions.size(), first.regions.size());
  for (size_t r = 0; r < first.regions.size(); ++r) {
    EXPECT_EQ(again.regions[r].members, first.regions[r].members);
    EXPECT_EQ(again.regions[r].nodes, first.regions[r].nodes);
  }
}

TEST(SecondOrder, FacetsUseTheNodesOfTheirCells) {
  for (Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
    const Mesh mesh = make_box({0, 0, 0}, {1, 1, 1}, {2, 2, 2}, shape, 2);
    std::vector<char> in_cell(mesh.node_total(), 0);
    for (int node : mesh.cells[0].nodes) in_cell[node] = 1;
    for (int node : mesh.facets[0].nodes) EXPECT_TRUE(in_cell[node]);
    for (char used : in_cell) EXPECT_TRUE(used);
  }
}

/// The box [0, 1]^dim with n cells a side bent to a quarter of the annulus (tube) of radii 1 and 2.
Mesh quarter_tube(Shape shape, int n) {
  Mesh mesh = dimension_of(shape) == 2 ? make_rectangle(0, 0, 1, 1, n, n, shape, 2)
                                       : make_box({0, 0, 0}, {1, 1, 1}, {n, n, 1}, shape, 2);
  for (int i = 0; i < mesh.node_total(); ++i) {
    double* x = &mesh.coordinates[i * mesh.dim];
    const double r = 1 + x[0], angle = 0.5 * std::numbers::pi * x[1];
    x[0] = r * std::cos(angle);
    x[1] = r * std::sin(angle);
  }
  return mesh;
}

// Quadratic edges follow a circle to O(h⁴) in enclosed area and length: halving h divides the
// errors by 16.
TEST(SecondOrder, SizesOfCurvedCellsAndFacetsConvergeWithTheFourthPower) {
  for (Shape shape :
       {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron}) {
    const Mesh coarse = quarter_tube(shape, 4), fine = quarter_tube(shape, 8);
    for (auto [region, size] :
         {std::pair{"body", 0.75 * std::numbers::pi}, {"right", std::numbers::pi}}) {
      const double e4 = test::measure(coarse, region).size - size,
                   e8 = test::measure(fine, region).size - size;
      EXPECT_LT(std::abs(e4), 1e-3) << name_of(shape) << ' ' << region;
      EXPECT_NEAR(e4 / e8, 16, 1) << name_of(shape) << ' ' << region;
    }
  }
}

TEST(SecondOrder, RegionsOfCurvesGainTheMiddles) {
  const std::string path = std::string(INVAR_SOURCE_DIR) + "/tests/unit/mesh/data/ball.msh";
  const Mesh curved = read_gmsh(path);
  const Mesh straight = to_second_order(to_first_order(curved));
  EXPECT_EQ(straight.node_total(), curved.node_total());
  EXPECT_EQ(straight.find_region("axis")->nodes.size(), curved.find_region("axis")->nodes.size());
  EXPECT_LT(test::measure(straight, "body").size, test::measure(curved, "body").size);
}

}  // namespace
}  // namespace invar
