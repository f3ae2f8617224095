#include "libfem/mesh/carve_box.hpp"

#include <gtest/gtest.h>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/refine.hpp"
#include "libfem/mesh/second_order.hpp"
#include "tests/unit/mesh/measure.hpp"

namespace invar {
namespace {

constexpr double low[] = {1, 0, 0.25}, high[] = {1.5, 0.5, 0.75};

Mesh channel(Shape shape) { return make_box({0, 0, 0}, {2, 1, 1}, {8, 4, 4}, shape); }

// Volume, surface and remaining floor are those without the box; floor, hole and the other sides form a closed surface.
TEST(CarveBox, LeavesTheSurfaceOfTheBox) {
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
    Mesh mesh = channel(shape);
    carve_box(mesh, "cube", low, high);
    EXPECT_NEAR(test::measure(mesh, "body").size, 2 - 0.125, 1e-12);
    const test::Measure cube = test::measure(mesh, "cube"), floor = test::measure(mesh, "bottom");
    EXPECT_NEAR(cube.size, 5 * 0.25, 1e-12);
    EXPECT_NEAR(floor.size, 2 - 0.25, 1e-12);
    std::array<double, 3> sum{};
    for (const char* side : {"left", "right", "bottom", "top", "back", "front", "cube"})
      for (int d = 0; d < 3; ++d) sum[d] += test::measure(mesh, side).normal[d];
    for (int d = 0; d < 3; ++d) EXPECT_NEAR(sum[d], 0, 1e-12);
    EXPECT_NEAR(cube.normal[1], -0.25, 1e-12);  // out of the fluid, into the cube: its top faces down
    for (const int node : mesh.find_region("cube")->nodes)
      for (int d = 0; d < 3; ++d) {
        const double x = mesh.coordinates[3 * std::size_t(node) + d];
        EXPECT_TRUE(x >= low[d] - 1e-12 && x <= high[d] + 1e-12);
      }
  }
}

TEST(CarveBox, NoNodeIsLeftWithoutACell) {
  Mesh mesh = channel(Shape::tetrahedron);
  const int before = mesh.node_total();
  carve_box(mesh, "cube", low, high);
  // of the 3 × 3 × 3 nodes in the box: the middle, and that of the floor below it
  EXPECT_EQ(before - mesh.node_total(), 2);
  std::vector<char> used(mesh.node_total(), 0);
  for (const int node : mesh.cells[0].nodes) used[node] = 1;
  EXPECT_EQ(std::count(used.begin(), used.end(), 0), 0);
}

// Further operations: refinement, distribution over ranks.
TEST(CarveBox, IsAMeshLikeAnyOther) {
  Mesh serial = channel(Shape::tetrahedron);
  carve_box(serial, "cube", low, high);
  const Mesh fine = refine(serial);
  EXPECT_NEAR(test::measure(fine, "cube").size, 1.25, 1e-12);
  const Mesh mine = distribute(serial, MPI_COMM_WORLD);
  EXPECT_EQ(mine.n_global_nodes, serial.node_total());
  ASSERT_TRUE(mine.find_region("cube"));
}

TEST(CarveBox, InThePlaneTheCornerOfARectangleMayGo) {
  Mesh mesh = make_rectangle(0, 0, 2, 1, 4, 2, Shape::triangle);
  carve_box(mesh, "step", std::array{0.0, 0.0}, std::array{0.5, 0.5});
  EXPECT_NEAR(test::measure(mesh, "body").size, 1.75, 1e-12);
  EXPECT_NEAR(test::measure(mesh, "step").size, 1, 1e-12);
  EXPECT_NEAR(test::measure(mesh, "left").size, 0.5, 1e-12);
  EXPECT_FALSE(mesh.find_region("left_bottom"));
  EXPECT_TRUE(mesh.find_region("right_bottom"));
}

// Cells of second order leave sides of second order: the same as a mesh that is carved first and gets its middles then.
TEST(CarveBox, OfCellsOfSecondOrder) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron}) {
    const bool plane = shape == Shape::triangle || shape == Shape::quadrilateral;
    const auto made = [&](int order) {
      return plane ? make_rectangle(0, 0, 2, 1, 8, 4, shape, order) : make_box({0, 0, 0}, {2, 1, 1}, {8, 4, 4}, shape, order);
    };
    const std::array<double, 3> from{0.5, 0.25, 0.25}, to{1.5, 0.75, 0.5};
    Mesh carved = made(2), first = made(1);
    carve_box(carved, "hole", std::span(from).first(carved.dim), std::span(to).first(carved.dim));
    carve_box(first, "hole", std::span(from).first(first.dim), std::span(to).first(first.dim));
    const Mesh second = to_second_order(first);
    EXPECT_EQ(carved.node_total(), second.node_total());
    for (const char* region : {"hole", "left", "body"}) {
      const auto a = test::measure(carved, region), b = test::measure(second, region);
      EXPECT_NEAR(a.size, b.size, 1e-12) << region;
      for (int d = 0; d < carved.dim; ++d) EXPECT_NEAR(a.normal[d], b.normal[d], 1e-12) << region;
      EXPECT_EQ(carved.find_region(region)->nodes.size(), second.find_region(region)->nodes.size()) << region;
    }
    // A middle lies between its ends.
    for (const CellBlock& block : carved.facets) {
      const int n = node_count(block.type), vertices = vertex_count(block.type.shape);
      for (int f = 0; f < block.count(); ++f)
        for (int d = 0; d < carved.dim; ++d) {
          const auto x = [&](int k) { return carved.coordinates[std::size_t(block.nodes[std::size_t(f) * n + k]) * carved.dim + d]; };
          double of_vertices = 0, of_middles = 0;
          for (int k = 0; k < vertices; ++k) of_vertices += x(k) / vertices;
          for (int k = vertices; k < n; ++k) of_middles += x(k) / (n - vertices);
          EXPECT_NEAR(of_vertices, of_middles, 1e-12);
        }
    }
  }
}

TEST(CarveBox, WhatCannotBeCarvedIsRefused) {
  const auto message = [](const std::string& name, std::array<double, 3> from, std::array<double, 3> to) -> std::string {
    Mesh mesh = channel(Shape::hexahedron);
    try {
      carve_box(mesh, name, from, to);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "none";
  };
  EXPECT_NE(message("cube", {1, 0, 0.3}, {1.5, 0.5, 0.75}).find("cuts through the cells at (1.25, 0"), std::string::npos) << message("cube", {1, 0, 0.3}, {1.5, 0.5, 0.75});
  EXPECT_NE(message("cube", {0, 0, 0.25}, {0.3, 0.25, 0.5}).find("those within it reach to x = 0.25, not to 0.3"), std::string::npos);
  EXPECT_EQ(message("cube", {1, -1, 0.25}, {1.5, 0.5, 0.75}), "none");  // as far as the mesh reaches
  EXPECT_NE(message("cube", {5, 0, 0}, {6, 1, 1}).find("no cell"), std::string::npos);
  EXPECT_NE(message("cube", {-1, -1, -1}, {6, 2, 2}).find("all cells"), std::string::npos);
  EXPECT_NE(message("top", {1, 0, 0.25}, {1.5, 0.5, 0.75}).find("already"), std::string::npos);
  EXPECT_NE(message("cube", {1, 0, 0.5}, {1.5, 0.5, 0.5}).find("empty"), std::string::npos);
}

}  // namespace
}  // namespace invar
