#include "libfem/design/geometry/boundary_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "tests/unit/design/curves.hpp"

namespace invar {
namespace {

using test::add_union, test::curve_mesh;

using std::numbers::pi;

// [0, 3] × [0, 1]: round the rectangle from its lower right corner.
TEST(BoundaryCurve, RunsCounterClockwiseFromTheRightmostVertex) {
  for (int order : {1, 2})
    for (bool distributed : {false, true}) {
      Mesh serial = make_rectangle(0, 0, 3, 1, 6, 4, Shape::triangle, order);
      add_union(serial, "outside", {"top", "left", "bottom", "right"});
      const Mesh mesh = distributed ? distribute(serial, PETSC_COMM_WORLD) : serial;
      const BoundaryCurve curve = arc_length_parameters(mesh, "outside");
      EXPECT_TRUE(curve.closed);
      EXPECT_NEAR(curve.length, 8, 1e-13);
      ASSERT_EQ(curve.nodes.size(), 20u * order);
      for (std::size_t i = 0; i < curve.nodes.size(); ++i) {
        const double *x = &curve.points[2 * i], *n = &curve.normals[2 * i], s = 8 * curve.parameters[i];
        const double* original = &serial.coordinates[2 * curve.nodes[i]];
        EXPECT_EQ(x[0], original[0]);
        EXPECT_EQ(x[1], original[1]);
        EXPECT_NEAR(s, x[0] == 3 ? x[1] : x[1] == 1 ? 4 - x[0] : x[0] == 0 ? 5 - x[1] : 5 + x[0], 1e-13);
        const double nx = x[0] == 3 ? 1 : x[0] == 0 ? -1 : 0, ny = x[1] == 1 ? 1 : x[1] == 0 ? -1 : 0;
        EXPECT_NEAR(n[0], nx / std::hypot(nx, ny), 1e-14);
        EXPECT_NEAR(n[1], ny / std::hypot(nx, ny), 1e-14);
      }
      const auto& nodes = mesh.find_region("outside")->nodes;
      ASSERT_EQ(curve.positions.size(), nodes.size());
      for (std::size_t i = 0; i < nodes.size(); ++i)
        EXPECT_EQ(curve.nodes[curve.positions[i]], mesh.original_node[nodes[i]]);
    }
}

TEST(BoundaryCurve, AnOpenChainRunsFromEndToEnd) {
  Mesh serial = make_rectangle(0, 0, 3, 1, 6, 4, Shape::quadrilateral, 2);
  add_union(serial, "hook", {"bottom", "left"});
  const BoundaryCurve curve = arc_length_parameters(distribute(serial, PETSC_COMM_WORLD), "hook");
  EXPECT_FALSE(curve.closed);
  EXPECT_NEAR(curve.length, 4, 1e-13);
  EXPECT_EQ(curve.parameters.front(), 0);
  EXPECT_EQ(curve.parameters.back(), 1);
  for (std::size_t i = 0; i < curve.nodes.size(); ++i) {  // down the left side, then right
    const double* x = &curve.points[2 * i];
    EXPECT_NEAR(4 * curve.parameters[i], x[0] == 0 ? 1 - x[1] : 1 + x[0], 1e-13);
  }
  EXPECT_NEAR(curve.normals[0], -1, 1e-14);  // at the free end: of the one facet there
}

// Facets with three nodes: the arc length of the parabola x = (t, t²) is known, and where the facets'
// nodes are evenly spaced in t they lie on it.
TEST(BoundaryCurve, CurvedFacetsHaveTheirOwnLengthAndNormals) {
  const auto length = [](double t) { return 0.5 * t * std::sqrt(1 + 4 * t * t) + 0.25 * std::asinh(2 * t); };
  const Mesh mesh = curve_mesh([](double s) { return std::array{2 * s, 4 * s * s}; }, 4, 2, false);
  const BoundaryCurve curve = arc_length_parameters(mesh, "curve");
  EXPECT_NEAR(curve.length, length(2), 1e-12);
  for (int i = 0; i <= 8; ++i) {
    const double t = i / 4.0;
    EXPECT_NEAR(curve.parameters[i], length(t) / length(2), 1e-12);
    EXPECT_NEAR(curve.normals[2 * i], 2 * t / std::hypot(1, 2 * t), 1e-12);
    EXPECT_NEAR(curve.normals[2 * i + 1], -1 / std::hypot(1, 2 * t), 1e-12);
  }
}

TEST(BoundaryCurve, FacetsThatFaceAboutAreTurned) {
  Mesh mesh = curve_mesh([](double s) { return std::array{std::cos(2 * pi * s), std::sin(2 * pi * s)}; }, 10, 2, true);
  for (int e : {2, 3, 7}) std::swap(mesh.facets[0].nodes[3 * e], mesh.facets[0].nodes[3 * e + 1]);
  const BoundaryCurve curve = arc_length_parameters(mesh, "curve");
  ASSERT_TRUE(curve.closed);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(curve.nodes[i], i);
    EXPECT_NEAR(curve.parameters[i], i / 20.0, 1e-12);
    EXPECT_NEAR(curve.normals[2 * i], std::cos(pi * i / 10), 1e-12);
  }
}

TEST(BoundaryCurve, SaysWhatIsWrong) {
  Mesh mesh = make_rectangle(0, 0, 3, 1, 6, 4, Shape::triangle);
  add_union(mesh, "sides", {"left", "right"});
  EXPECT_THROW(arc_length_parameters(mesh, "sides"), std::invalid_argument);
  EXPECT_THROW(arc_length_parameters(mesh, "nowhere"), std::invalid_argument);
  EXPECT_THROW(arc_length_parameters(mesh, "body"), std::invalid_argument);
  EXPECT_THROW(arc_length_parameters(make_box({0, 0, 0}, {1, 1, 1}, {1, 1, 1}, Shape::hexahedron), "left"),
               std::invalid_argument);
  Mesh star = curve_mesh([](double s) { return std::array{s, 0.0}; }, 4, 1, false);
  star.facets[0].nodes[0] = 2;  // 2–1, 1–2 …: node 2 gets a third facet
  star.facets[0].nodes[1] = 0;
  EXPECT_THROW(arc_length_parameters(star, "curve"), std::invalid_argument);
  const Mesh there_and_back = curve_mesh([](double s) { return std::array{std::abs(s - 0.5), 0.0}; }, 4, 1, false);
  EXPECT_THROW(arc_length_parameters(there_and_back, "curve"), std::invalid_argument);
}

}  // namespace
}  // namespace invar
