#include "libfem/mesh/boxes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/mesh/measure.hpp"

namespace invar {
namespace {

using test::measure;

struct BoxCase {
  Shape shape;
  int order, cells, nodes, side_facets;
};

class Rectangle : public testing::TestWithParam<BoxCase> {};
// 3 × 2 squares; side_facets: of left
INSTANTIATE_TEST_SUITE_P(Boxes, Rectangle,
                         testing::Values(BoxCase{Shape::triangle, 1, 12, 12, 2},
                                         BoxCase{Shape::triangle, 2, 12, 35, 2},
                                         BoxCase{Shape::quadrilateral, 1, 6, 12, 2},
                                         BoxCase{Shape::quadrilateral, 2, 6, 35, 2}));

TEST_P(Rectangle, HasTheSizeTheSidesAndTheCounts) {
  const BoxCase c = GetParam();
  const Mesh mesh = make_rectangle(-1, 2, 2, 2.5, 3, 2, c.shape, c.order, "plate");
  EXPECT_EQ(mesh.cells[0].count(), c.cells);
  EXPECT_EQ(mesh.node_total(), c.nodes);
  EXPECT_EQ(mesh.find_region("left")->members[0].size(), static_cast<size_t>(c.side_facets));
  EXPECT_NEAR(measure(mesh, "plate").size, 1.5, 1e-14);
  const std::pair<const char*, std::array<double, 2>> sides[] = {
      {"left", {-0.5, 0}}, {"right", {0.5, 0}}, {"bottom", {0, -3}}, {"top", {0, 3}}};
  for (const auto& [name, normal] : sides)
    for (int d = 0; d < 2; ++d)
      EXPECT_NEAR(measure(mesh, name).normal[d], normal[d], 1e-14) << name;
}

class Box : public testing::TestWithParam<BoxCase> {};
// 2 × 3 × 1 cubes; side_facets: of left
INSTANTIATE_TEST_SUITE_P(Boxes, Box,
                         testing::Values(BoxCase{Shape::tetrahedron, 1, 36, 24, 6},
                                         BoxCase{Shape::tetrahedron, 2, 36, 105, 6},
                                         BoxCase{Shape::hexahedron, 1, 6, 24, 3},
                                         BoxCase{Shape::hexahedron, 2, 6, 105, 3}));

TEST_P(Box, HasTheSizeTheSidesAndTheCounts) {
  const BoxCase c = GetParam();
  const Mesh mesh = make_box({0, 0, 1}, {2, 1, 4}, {2, 3, 1}, c.shape, c.order);
  EXPECT_EQ(mesh.cells[0].count(), c.cells);
  EXPECT_EQ(mesh.node_total(), c.nodes);
  EXPECT_EQ(mesh.find_region("left")->members[0].size(), static_cast<size_t>(c.side_facets));
  EXPECT_NEAR(measure(mesh, "body").size, 6, 1e-13);
  for (int e = 0; e < c.cells; ++e)
    EXPECT_NEAR(measure(mesh, mesh.cells[0], e).size, 6.0 / c.cells, 1e-14);
  const std::pair<const char*, std::array<double, 3>> sides[] = {
      {"left", {-3, 0, 0}}, {"right", {3, 0, 0}}, {"bottom", {0, -6, 0}},
      {"top", {0, 6, 0}},   {"back", {0, 0, -2}}, {"front", {0, 0, 2}}};
  for (const auto& [name, normal] : sides)
    for (int d = 0; d < 3; ++d)
      EXPECT_NEAR(measure(mesh, name).normal[d], normal[d], 1e-13) << name;
}

TEST(Boxes, CornersAreSingleNodesWhereTheNameSays) {
  const Mesh mesh = make_box({0, 0, 0}, {1, 2, 3}, {2, 2, 2}, Shape::tetrahedron, 2);
  const Region* corner = mesh.find_region("right_bottom_front");
  ASSERT_TRUE(corner);
  ASSERT_EQ(corner->nodes.size(), 1u);
  const double* x = &mesh.coordinates[corner->nodes[0] * 3];
  EXPECT_EQ(x[0], 1);
  EXPECT_EQ(x[1], 0);
  EXPECT_EQ(x[2], 3);
  EXPECT_EQ(corner->dim, 0);
}

TEST(Boxes, EdgesAreTheNodesOfTwoSides) {
  const Mesh mesh = make_box({0, 0, 0}, {1, 2, 3}, {2, 3, 4}, Shape::hexahedron, 2);
  for (const auto& [first, second] : {std::pair("left", "top"), std::pair("right", "back"), std::pair("bottom", "front")}) {
    const std::vector<int>&a = mesh.find_region(first)->nodes, &b = mesh.find_region(second)->nodes;
    std::vector<int> both;
    std::ranges::set_intersection(a, b, std::back_inserter(both));
    const Region* edge = mesh.find_region(std::string(first) + "_" + second);
    ASSERT_TRUE(edge) << first << " " << second;
    EXPECT_EQ(edge->nodes, both) << first << " " << second;
  }
}

TEST(Boxes, RegionNodesAreThoseOnTheSide) {
  const Mesh mesh = make_box({0, 0, 0}, {1, 1, 1}, {2, 2, 2}, Shape::hexahedron, 2);
  std::vector<int> on_top;
  for (int i = 0; i < mesh.node_total(); ++i)
    if (mesh.coordinates[i * 3 + 1] == 1) on_top.push_back(i);
  EXPECT_EQ(mesh.find_region("top")->nodes, on_top);
  EXPECT_EQ(mesh.find_region("body")->nodes.size(), static_cast<size_t>(mesh.node_total()));
  EXPECT_EQ(mesh.find_region("nowhere"), nullptr);
}

TEST(Boxes, RefusesWhatIsNoBox) {
  EXPECT_THROW(make_rectangle(0, 0, 0, 1, 2, 2, Shape::triangle), std::invalid_argument);
  EXPECT_THROW(make_rectangle(0, 0, 1, 1, 2, 0, Shape::triangle), std::invalid_argument);
  EXPECT_THROW(make_rectangle(0, 0, 1, 1, 2, 2, Shape::tetrahedron), std::invalid_argument);
  EXPECT_THROW(make_box({0, 0, 0}, {1, 1, 1}, {1, 1, 1}, Shape::hexahedron, 3),
               std::invalid_argument);
}

}  // namespace
}  // namespace invar
