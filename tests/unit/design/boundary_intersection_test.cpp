#include "libfem/design/geometry/boundary_intersection.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <stdexcept>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "tests/unit/design/curves.hpp"

namespace invar {
namespace {

using test::add_union, test::curve_mesh;

using std::numbers::pi;
using Curve = std::function<std::array<double, 2>(double)>;

std::array<double, 2> circle(double s) { return {std::cos(2 * pi * s), std::sin(2 * pi * s)}; }

/// The circle moved into another closed curve.
auto deformed_circle(const Curve& into, int n, int order) {
  const Mesh mesh = curve_mesh(circle, n, order, true), target = curve_mesh(into, n, order, true);
  return find_boundary_intersection(mesh, {"curve"}, target.coordinates);
}

TEST(BoundaryIntersection, AFigureEightCrossesAtItsWaist) {
  const auto eight = [](double phase) {
    return [phase](double s) {
      return std::array{0.5 + std::sin(2 * pi * s + phase), std::sin(4 * pi * s + 2 * phase)};
    };
  };
  for (int order : {1, 2})
    for (double phase : {0.0, 0.1}) {  // 0: nodes of both branches meet in one point
      const auto found = deformed_circle(eight(phase), 64, order);
      ASSERT_TRUE(found) << order << " " << phase;
      const double chord_error = std::pow(4 * pi / 64, 2) / 8;
      EXPECT_NEAR(found->at[0], 0.5, chord_error);
      EXPECT_NEAR(found->at[1], 0, chord_error);
    }
  EXPECT_EQ(deformed_circle(eight(0), 64, 1)->message.substr(0, 34), "the boundary crosses itself near (");
}

// A slender waist of half-width w: r(φ) turns from w to 1; near misses are none at any fineness.
TEST(BoundaryIntersection, NearMissesAreNone) {
  for (double waist : {1e-1, 1e-3, 1e-6, 1e-9})
    for (int order : {1, 2}) {
      const Curve peanut = [&](double s) {
        const auto [x, y] = circle(s);
        return std::array{2 * x, y * (waist + x * x)};
      };
      EXPECT_FALSE(deformed_circle(peanut, 40, order)) << waist;
    }
  const Curve overlap = [&](double s) {
    const auto [x, y] = circle(s);
    return std::array{2 * x, y * (-1e-3 + x * x)};
  };
  EXPECT_TRUE(deformed_circle(overlap, 40, 1));
}

// Two facets whose chords miss each other by far, while the bulge of the curved one reaches over.
TEST(BoundaryIntersection, CurvedFacetsAreFollowed) {
  Mesh mesh;
  mesh.dim = 2;
  mesh.coordinates = {0, 0, 1, 0, 0.5, 0, 0, 0.3, 1, 0.3, 0.5, 0.3};
  mesh.facets = {{{Shape::segment, 2}, {0, 1, 2, 3, 4, 5}, 2}};
  mesh.regions = {{"lower", 1, {{0}}, {}}, {"upper", 1, {{1}}, {}}};
  complete_serial(mesh);
  auto x = mesh.coordinates;
  x[5] = 0.29;
  EXPECT_FALSE(find_boundary_intersection(mesh, {"lower", "upper"}, x));
  x[5] = 0.4;  // y = 0.4 · 4 s (1 − s) = 0.3 at s = 1/4
  const auto found = find_boundary_intersection(mesh, {"lower", "upper"}, x);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->at[0], 0.25, 1e-12);
  EXPECT_NEAR(found->at[1], 0.3, 1e-12);
  EXPECT_FALSE(find_boundary_intersection(mesh, {"lower"}, x));
}

// Facets in a row follow each other to round-off alone.
TEST(BoundaryIntersection, StraightSidesInGeneralPositionDoNotIntersect) {
  for (int order : {1, 2})
    for (int k = 0; k < 20; ++k) {
      const double a = 0.1 + 0.3 * k, shift = k % 2 == 0 ? 0 : 1000;
      const auto square = [&](double s) {
        const double t = 4 * s, side = std::floor(t), u = t - side;
        const double x[] = {u, 1, 1 - u, 0, 0}, y[] = {0, u, 1, 1 - u, 0};
        const int i = static_cast<int>(side);
        return std::array{shift + std::cos(a) * x[i] - std::sin(a) * y[i], std::sin(a) * x[i] + std::cos(a) * y[i]};
      };
      EXPECT_FALSE(deformed_circle(square, 60, order)) << order << " " << k;
    }
}

TEST(BoundaryIntersection, WhatTouchedBeforeMayTouchStill) {
  Mesh crack;  // two faces of a crack along y = 0, nodes of their own, open at its middle
  crack.dim = 2;
  crack.coordinates = {0, 0, 1, 0, 2, 0, 0, 0, 1, 0, 2, 0};
  crack.facets = {{{Shape::segment, 1}, {0, 1, 1, 2, 4, 3, 5, 4}, 4}};
  crack.regions = {{"faces", 1, {{0, 1, 2, 3}}, {}}};
  complete_serial(crack);
  EXPECT_FALSE(find_boundary_intersection(crack, {"faces"}, crack.coordinates));
}

/// A box's surface, moved by x ↦ y(x), on all ranks; the answer is that of the whole mesh.
std::optional<BoundaryIntersection> deformed_box(Shape shape, int order,
                                                 const std::function<std::array<double, 3>(const double*)>& move) {
  Mesh serial = make_box({0, 0, 0}, {1, 4, 1}, {2, 8, 2}, shape, order);
  add_union(serial, "skin", {"left", "right", "bottom", "top", "back", "front"});
  const auto find = [&](const Mesh& mesh) {
    auto x = mesh.coordinates;
    for (std::size_t i = 0; i < x.size(); i += 3) {
      const auto y = move(&x[i]);
      std::copy(y.begin(), y.end(), &x[i]);
    }
    return find_boundary_intersection(mesh, {"skin"}, x);
  };
  const auto whole = find(serial), parts = find(distribute(serial, PETSC_COMM_WORLD));
  EXPECT_EQ(whole ? whole->message : "", parts ? parts->message : "");
  return parts;
}

/// The box bent into an arc of this angle, about an axis along z.
auto bent(double angle) {
  return [angle](const double* x) {
    const double radius = 4 / angle, a = angle * x[1] / 4;
    return std::array{(radius + x[0]) * std::cos(a), (radius + x[0]) * std::sin(a), x[2]};
  };
}

TEST(BoundaryIntersection, ABarBentRoundIntersectsWhereItsEndsMeet) {
  for (const auto& [shape, order] :
       {std::pair{Shape::tetrahedron, 1}, {Shape::tetrahedron, 2}, {Shape::hexahedron, 1}, {Shape::hexahedron, 2}}) {
    SCOPED_TRACE(testing::Message() << name_of(shape) << " " << order);
    EXPECT_FALSE(deformed_box(shape, order, [](const double* x) { return std::array{x[0], x[1], x[2]}; }));
    EXPECT_FALSE(deformed_box(shape, order, bent(1.95 * pi)));
    const auto found = deformed_box(shape, order, bent(2.05 * pi));
    ASSERT_TRUE(found);
    EXPECT_LT(std::abs(std::atan2(found->at[1], found->at[0])), 0.06 * pi);
    EXPECT_GT(found->at[0], 0);
  }
}

/// A turn about the origin by any axis and angle.
std::array<double, 9> turn(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-pi, pi);
  const double a = uniform(random), b = uniform(random), c = uniform(random);
  return {std::cos(a) * std::cos(b),
          std::cos(a) * std::sin(b) * std::sin(c) - std::sin(a) * std::cos(c),
          std::cos(a) * std::sin(b) * std::cos(c) + std::sin(a) * std::sin(c),
          std::sin(a) * std::cos(b),
          std::sin(a) * std::sin(b) * std::sin(c) + std::cos(a) * std::cos(c),
          std::sin(a) * std::sin(b) * std::cos(c) - std::cos(a) * std::sin(c),
          -std::sin(b),
          std::cos(b) * std::sin(c),
          std::cos(b) * std::cos(c)};
}
std::array<double, 3> turned(const std::array<double, 9>& R, const double* x, double shift) {
  std::array<double, 3> y;
  for (int i = 0; i < 3; ++i) y[i] = shift + R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
  return y;
}

// Walls whose points are coplanar, and rows of them collinear, to round-off alone.
TEST(BoundaryIntersection, FlatWallsInGeneralPositionDoNotIntersect) {
  for (Shape shape : {Shape::tetrahedron, Shape::hexahedron})
    for (int order : {1, 2})
      for (unsigned seed = 0; seed < 5; ++seed)
        for (double shift : {0.0, 1000.0}) {
          const auto R = turn(seed);
          EXPECT_FALSE(deformed_box(shape, order, [&](const double* x) { return turned(R, x, shift); }))
              << name_of(shape) << order << " " << seed << " " << shift;
        }
}

/// Two triangles, far apart at first, then here, in any position in space; the second has the first's
/// vertex 0 in place of its own where they are attached.
bool triangles_meet(std::array<double, 18> x, bool attached = false) {
  Mesh mesh;
  mesh.dim = 3;
  mesh.coordinates = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 9, 1, 0, 9, 0, 1, 9};
  mesh.facets = {{{Shape::triangle, 1}, {0, 1, 2, attached ? 0 : 3, 4, 5}, 2}};
  mesh.regions = {{"both", 2, {{0, 1}}, {}}};
  complete_serial(mesh);
  bool first = false;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::vector<double> moved;
    for (int p = 0; p < 6; ++p)
      for (double y : turned(turn(seed), &x[3 * p], 0.3)) moved.push_back(y);
    const bool meet = find_boundary_intersection(mesh, {"both"}, moved).has_value();
    if (seed == 0) first = meet;
    EXPECT_EQ(meet, first) << seed;
  }
  return first;
}

TEST(BoundaryIntersection, TrianglesInEveryPosition) {
  const double e = 1e-9;
  // pierced by an edge of the other; missed beside the rim; a point above
  EXPECT_TRUE(triangles_meet({0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, -1, 0.3, 0.2, 1, 3, 3, 1}));
  EXPECT_TRUE(triangles_meet({0.2, 0.2, -1, 0.3, 0.2, 1, 3, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0}));
  EXPECT_FALSE(triangles_meet({0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5 + e, 0.5 + e, -1, 0.5 + e, 0.5 + e, 1, 3, 3, 1}));
  EXPECT_FALSE(triangles_meet({0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, e, 0.3, 0.2, 1, 0.2, 0.3, 1}));
  EXPECT_TRUE(triangles_meet({0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, -e, 0.3, 0.2, 1, 0.2, 0.3, 1}));
  // in one plane: one in the other, rims that cross, side by side
  EXPECT_TRUE(triangles_meet({0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, 0, 0.3, 0.2, 0, 0.2, 0.3, 0}));
  EXPECT_TRUE(triangles_meet({0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, -0.5, 0, 0.3, -0.5, 0, 0.25, 3, 0}));
  EXPECT_FALSE(triangles_meet({0, 0, 0, 1, 0, 0, 0, 1, 0, 1 + e, 0, 0, 2, 0, 0, 1, 1, 0}));
  EXPECT_FALSE(triangles_meet({0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5 + e, 0.5 + e, 0, 1, 0.5, 0, 0.5, 1, 0}));
  // hinged at one vertex: through the opposite edge, and free of each other, also in one plane
  EXPECT_TRUE(triangles_meet({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0.2, 0.2, -1, 0.2, 0.2, 1}, true));
  EXPECT_FALSE(triangles_meet({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0.2, 0.2, e, 0.2, 0.2, 1}, true));
  EXPECT_TRUE(triangles_meet({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0.6, 0.6, 0, 0.6, 0.1, 0}, true));
  EXPECT_FALSE(triangles_meet({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0.2, 0, -1, -0.2, 0}, true));
}

TEST(BoundaryIntersection, AWallPushedThroughTheOppositeOneIsFound) {
  const auto dent = [](double depth) {  // of the face x = 1, smooth, deepest at its centre
    return [depth](const double* x) {
      const double y = x[1] * (4 - x[1]) / 4, z = 4 * x[2] * (1 - x[2]);
      return std::array{x[0] - (x[0] == 1 ? depth * y * z : 0.0), x[1], x[2]};
    };
  };
  EXPECT_FALSE(deformed_box(Shape::tetrahedron, 2, dent(0.99)));
  EXPECT_TRUE(deformed_box(Shape::tetrahedron, 2, dent(1.0)));  // touches
  const auto found = deformed_box(Shape::tetrahedron, 2, dent(1.05));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->at[0], 0, 0.06);
}

TEST(BoundaryIntersection, CoordinatesThatAreNoNumbersAreReported) {
  const Mesh mesh = curve_mesh(circle, 8, 1, true);
  auto x = mesh.coordinates;
  x[3] = std::nan("");
  EXPECT_TRUE(find_boundary_intersection(mesh, {"curve"}, x));
  EXPECT_THROW(find_boundary_intersection(mesh, {"nowhere"}, x), std::invalid_argument);
  EXPECT_THROW(find_boundary_intersection(mesh, {"curve"}, x, 0), std::invalid_argument);
}

}  // namespace
}  // namespace invar
