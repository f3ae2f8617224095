#include "libfem/mesh/mark_interface.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/mark_cells.hpp"

namespace invar {
namespace {

/// A box with a cube in its corner, as the region "cube"; the rest is "around".
Mesh box_with_cube(Shape shape) {
  const bool flat = dimension_of(shape) == 2;
  Mesh mesh = flat ? make_rectangle(0, 0, 4, 3, 4, 3, shape) : make_box({0, 0, 0}, {4, 3, 3}, {4, 3, 3}, shape);
  const auto in_cube = [](double x, double y, double z) { return x < 2 && y < 2 && z < 2; };
  mark_cells(mesh, "cube", in_cube);
  mark_cells(mesh, "around", [=](double x, double y, double z) { return !in_cube(x, y, z); });
  return mesh;
}

/// Length or area of a region of straight facets.
double size_of(const Mesh& mesh, const Region& region) {
  double sum = 0;
  for (std::size_t b = 0; b < region.members.size(); ++b)
    for (const int f : region.members[b]) {
      const int n = node_count(mesh.facets[b].type);
      const auto x = [&](int a, int i) { return mesh.coordinates[std::size_t(mesh.facets[b].nodes[f * n + a]) * mesh.dim + i]; };
      if (mesh.dim == 2) {
        sum += std::hypot(x(1, 0) - x(0, 0), x(1, 1) - x(0, 1));
        continue;
      }
      for (int k = 1; k + 1 < n; ++k) {  // triangles around the first vertex
        double u[3], v[3];
        for (int i = 0; i < 3; ++i) u[i] = x(k, i) - x(0, i), v[i] = x(k + 1, i) - x(0, i);
        sum += std::hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
      }
    }
  return sum;
}

TEST(MarkInterface, HasTheFacetsBetweenTwoParts) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron}) {
    SCOPED_TRACE(name_of(shape));
    for (const char* part : {"around", "cube"}) {
      Mesh mesh = box_with_cube(shape);
      mark_interface(mesh, "skin", part);
      const Region& skin = *mesh.find_region("skin");
      EXPECT_EQ(skin.dim, mesh.dim - 1);
      EXPECT_NEAR(size_of(mesh, skin), mesh.dim == 2 ? 4 : 12, 1e-14);
      for (const int node : skin.nodes) {
        const double* x = &mesh.coordinates[std::size_t(node) * mesh.dim];
        double most = 0;
        for (int i = 0; i < mesh.dim; ++i) most = std::max(most, x[i]);
        EXPECT_EQ(most, 2);
      }
      for (const Region& region : mesh.regions)
        if (region.dim == mesh.dim - 1) { EXPECT_EQ(region.members.size(), mesh.facets.size()); }
    }
  }
}

// Facets that already have a name are not added a second time.
TEST(MarkInterface, UsesFacetsOfRegions) {
  Mesh mesh = box_with_cube(Shape::quadrilateral);
  mark_interface(mesh, "skin", "around");
  const int count = mesh.facets[0].count();
  mark_interface(mesh, "again", "cube");
  EXPECT_EQ(mesh.facets[0].count(), count);
  EXPECT_EQ(mesh.find_region("again")->members, mesh.find_region("skin")->members);
}

TEST(MarkInterface, RefusesNamesThatDoNotFit) {
  Mesh mesh = box_with_cube(Shape::triangle);
  EXPECT_THROW(mark_interface(mesh, "left", "cube"), std::invalid_argument);
  EXPECT_THROW(mark_interface(mesh, "skin", "left"), std::invalid_argument);
  EXPECT_THROW(mark_interface(mesh, "skin", "nothing"), std::invalid_argument);
  Mesh curved = make_rectangle(0, 0, 4, 3, 4, 3, Shape::triangle, 2);
  mark_cells(curved, "cube", [](double x, double, double) { return x < 2; });
  EXPECT_THROW(mark_interface(curved, "skin", "cube"), std::invalid_argument);
}

}  // namespace
}  // namespace invar
