// Support reactions: equilibrium with the loads, and textbook solutions at large strain.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "libfem/mesh/reference_element.hpp"
#include "libfem/objective/reaction.hpp"
#include "tests/support/full_load.hpp"
#include "tests/unit/form/solid_problem.hpp"
#include "tests/unit/form/test_meshes.hpp"

namespace invar {
namespace {

using test::SolidProblem, test::VectorField;
using std::numbers::pi;

double force(SolidProblem& s, Vec u, const std::string& region, int direction) {
  std::vector<double> along(s.dim(), 0.0);
  along[direction] = 1;
  double y = 0;
  Reaction::force(s.residual(), region, along)->evaluate(test::at_full_load(*s.residual(), u), &y);
  return y;
}

double moment(SolidProblem& s, Vec u, const std::string& region, const std::array<double, 3>& axis,
              Reaction::Arms arms = Reaction::Arms::undeformed) {
  double y = 0;
  Reaction::moment(s.residual(), region, {0, 0, 0}, axis, Reaction::Of::supports, {}, arms)->evaluate(test::at_full_load(*s.residual(), u), &y);
  return y;
}

// Tolerances: Newton ends at round-off of the stiffness, 1e-15 of E u.
TEST(Reactions, CantileverInThePlane) {
  for (const char* law : {"linear_elastic", "neo_hookean"})
    for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
      SolidProblem s(make_rectangle(0, 0, 4, 1, 8, 3, shape, 2), SolidKind::plane_strain);
      s.material(law, {100.0, 0.3});
      s.traction("right", {0.02, -0.03});
      s.traction("top", {0.0, -0.01});
      s.body_force([](int i, const double*) { return i == 1 ? -0.005 : 0.0; });
      s.hold("left", 0);
      s.hold("left", 1);
      Vec u = s.solve();
      EXPECT_NEAR(force(s, u, "left", 0), -0.02, 1e-10);
      EXPECT_NEAR(force(s, u, "left", 1), 0.03 + 0.01 * 4 + 0.005 * 4, 1e-10);
      if (std::string(law) == "linear_elastic") {  // about the origin, undeformed
        const double applied = -0.02 * 0.5 - 0.03 * 4 - 0.01 * 4 * 2 - 0.005 * 4 * 2;
        EXPECT_NEAR(moment(s, u, "left", {}), -applied, 1e-10);
      }
    }
}

TEST(Reactions, CantileverInSpace) {
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
    SolidProblem s(make_box({0, 0, 0}, {3, 1, 2}, {4, 2, 2}, shape, 1), SolidKind::spatial);
    s.material("linear_elastic", {100.0, 0.3});
    s.traction("right", {0.01, -0.02, 0.03});  // area 2, centre (3, 0.5, 1)
    for (int i = 0; i < 3; ++i) s.hold("left", i);
    Vec u = s.solve();
    const double f[3] = {0.02, -0.04, 0.06}, c[3] = {3, 0.5, 1};
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(force(s, u, "left", i), -f[i], 1e-11);
      std::array<double, 3> axis{};
      axis[i] = 1;
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      EXPECT_NEAR(moment(s, u, "left", axis), -(c[j] * f[k] - c[k] * f[j]), 1e-10) << "axis " << i;
    }
  }
}

// A bar between grips of which one is turned by 60 degrees and moved aside: moments of the grips balance about every axis at
// deformed positions.
TEST(Reactions, MomentsOfGripsThatMoveBalance) {
  SolidProblem s(make_box({0, -0.5, -0.4}, {3, 0.5, 0.4}, {5, 2, 2}, Shape::hexahedron), SolidKind::spatial);
  s.material("neo_hookean", {100.0, 0.3});
  for (int i = 0; i < 3; ++i) s.hold("left", i);
  const double angle = pi / 3;
  s.hold({"right"}, [=](int i, const double* x) {
    const double turned[3] = {x[0] + 0.2, x[1] * std::cos(angle) - x[2] * std::sin(angle) + 0.3, x[1] * std::sin(angle) + x[2] * std::cos(angle)};
    return turned[i] - x[i];
  });
  Vec u = s.solve(4);
  for (int i = 0; i < 3; ++i) {
    std::array<double, 3> axis{};
    axis[i] = 1;
    const double left = moment(s, u, "left", axis, Reaction::Arms::deformed), right = moment(s, u, "right", axis, Reaction::Arms::deformed);
    EXPECT_NEAR(left + right, 0, 1e-9) << "axis " << i;
    EXPECT_GT(std::abs(left), 0.03) << "axis " << i;
    EXPECT_NEAR(moment(s, u, "left", axis), left, 1e-12) << "a grip at rest, axis " << i;
  }
}

TEST(Reactions, AxisymmetricTubeUnderAxialLoad) {
  SolidProblem s(make_rectangle(1, 0, 2, 3, 3, 4, Shape::quadrilateral, 2), SolidKind::axisymmetric);
  s.material("neo_hookean", {10.0, 0.3});
  s.traction("top", {0, 0.2});
  s.hold("bottom", 0);
  s.hold("bottom", 1);
  EXPECT_NEAR(force(s, s.solve(), "bottom", 1), -0.2 * pi * 3, 1e-11);
}

// ---- where regions meet -----------------------------------------------------------------------

/// A hollow sphere under pressure, radii a < b, free outside: Lamé's solution (Timoshenko, Goodier, Theory of
/// Elasticity, 3rd ed., §136).
struct LameSphere {
  double a = 1, b = 2, young = 10, poisson = 0.3, p = 0.7;
  double displacement(double r) const {
    return p * a * a * a / (young * (b * b * b - a * a * a)) *
           ((1 - 2 * poisson) * r + (1 + poisson) * b * b * b / (2 * r * r));
  }
};

/// An eighth of it: the cube [0, 1]³ without [0, ½]³, whose layers max x_i = const become spheres. Regions: left,
/// bottom, back (the planes x, y, z = 0) and inner.
Mesh eighth_of_sphere(const LameSphere& s, int n) {
  Mesh mesh = make_box({0, 0, 0}, {1, 1, 1}, {2 * n, 2 * n, 2 * n}, Shape::hexahedron);
  const std::vector<int> cube = mesh.cells[0].nodes;
  mesh.cells[0].nodes.clear();
  mesh.facets[0].nodes.clear();
  mesh.regions.clear();
  for (const char* name : {"left", "bottom", "back", "inner"}) mesh.regions.push_back({name, 2, {{}}, {}});
  const auto x = [&](int node, int i) { return mesh.coordinates[node * 3 + i]; };
  const auto layer = [&](int node) { return std::max({x(node, 0), x(node, 1), x(node, 2)}); };
  for (auto cell = cube.begin(); cell != cube.end(); cell += 8) {
    if (std::all_of(cell, cell + 8, [&](int node) { return layer(node) < 0.5 + 1e-9; })) continue;
    mesh.cells[0].nodes.insert(mesh.cells[0].nodes.end(), cell, cell + 8);
    for (const ReferenceFacet& facet : facets_of(Shape::hexahedron))
      for (int r = 0; r < 4; ++r) {
        const auto there = [&](int v) { return std::abs(r < 3 ? x(cell[v], r) : layer(cell[v]) - 0.5) < 1e-9; };
        if (!std::ranges::all_of(facet.vertices, there)) continue;
        mesh.regions[r].members[0].push_back(mesh.facets[0].count());
        for (int v : facet.vertices) mesh.facets[0].nodes.push_back(cell[v]);
      }
  }
  for (auto* block : {&mesh.cells[0], &mesh.facets[0]}) block->n_owned = block->count();
  mesh = to_second_order(to_first_order(mesh));  // the former without the nodes inside
  return test::warped(mesh, [&](double* at) {
    const double rho = std::max({at[0], at[1], at[2]}), length = std::hypot(at[0], at[1], at[2]);
    for (int i = 0; i < 3; ++i) at[i] *= (s.a + (s.b - s.a) * (2 * rho - 1)) / length;
  });
}

// Given the displacement inside, each coordinate's force on the eighth is p π a²/4, by the hole's support and by the
// plane's. Counting the common edges for both supports would reduce the order to 1.
TEST(Reactions, OfAHollowSphereConverge) {
  const LameSphere s;
  const double expected = s.p * pi * s.a * s.a / 4;
  double error[2][2];
  for (int k = 0; k < 2; ++k) {
    SolidProblem body(eighth_of_sphere(s, 1 + k), SolidKind::spatial);
    body.material("linear_elastic", {s.young, s.poisson});
    const char* planes[] = {"left", "bottom", "back"};
    for (int i = 0; i < 3; ++i) body.hold(planes[i], i);
    body.hold({"inner"}, [&](int i, const double* x) {
      const double r = std::hypot(x[0], x[1], x[2]);
      return s.displacement(r) * x[i] / r;
    });
    Vec u = body.solve();
    error[0][k] = std::abs(force(body, u, "inner", 0) - expected);
    error[1][k] = std::abs(force(body, u, "left", 0) + expected);
    for (int i = 0; i < 3; ++i) {  // equilibrium
      double sum = 0;
      for (const char* region : {"left", "bottom", "back", "inner"}) sum += force(body, u, region, i);
      EXPECT_NEAR(sum, 0, 1e-11);
      EXPECT_NEAR(force(body, u, "inner", i), force(body, u, "inner", 0), 1e-10);
    }
  }
  for (const auto& e : error) {
    EXPECT_LT(e[1], 5e-3 * expected);
    EXPECT_GT(std::log2(e[0] / e[1]), 2.5);
  }
}

// The same in the plane of the axis, finer: half a sphere, the hole's support pushes with p π a².
TEST(Reactions, OfHalfASphereConverge) {
  const LameSphere s;
  const double expected = s.p * pi * s.a * s.a;
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    double error[3];
    for (int k = 0; k < 3; ++k) {
      SolidProblem body(test::quarter_ring(s.a, s.a, s.b, s.b, 2 << k, 3 << k, shape, 2), SolidKind::axisymmetric);
      body.material("linear_elastic", {s.young, s.poisson});
      body.hold("bottom", 1);
      body.hold("top", 0);  // the axis
      body.hold({"left"}, [&](int i, const double* x) {
        const double r = std::hypot(x[0], x[1]);
        return s.displacement(r) * x[i] / r;
      });
      Vec u = body.solve();
      error[k] = std::abs(force(body, u, "left", 1) - expected) / expected;
      EXPECT_NEAR(force(body, u, "left", 1) + force(body, u, "bottom", 1), 0, 1e-11);
    }
    EXPECT_LT(error[0], 1e-2);
    EXPECT_GT(std::log2(error[0] / error[1]), 2.5);
    EXPECT_GT(std::log2(error[1] / error[2]), 2.5);
  }
}

// A tension that is the same everywhere: exact, with loads on what is held; by law, by treatment of the volume, by
// kind.
TEST(Reactions, OfUniformStatesAreExactInParts) {
  for (const bool mixed : {false, true})
    for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron}) {
      const int dim = dimension_of(shape);
      const Mesh mesh = test::distorted_block(shape, 2);
      SolidProblem body(mesh, dim == 3 ? SolidKind::spatial : SolidKind::plane_strain, {.mixed = mixed});
      if (mixed) body.material("neo_hookean_isochoric", {3, 20});
      else body.material("neo_hookean", {8, 0.3});
      body.traction("left", std::vector<double>(dim, 0.2));
      body.foundation("bottom", std::vector<double>(dim, 1.5));
      std::array<double, 9> H{0.2, 0.1, -0.05, 0.03, -0.1, 0.08, 0.02, -0.04, 0.1};
      const VectorField uniform = [=](int i, const double* x) {
        double v = 0;
        for (int j = 0; j < dim; ++j) v += H[3 * i + j] * x[j];
        return v;
      };
      body.hold(test::sides(dim), uniform);
      Vec u = body.solve(2);
      // Of the uniform nominal stress P each side carries P n; opposite sides are alike.
      for (int i = 0; i < dim; ++i) {
        double left = force(body, u, "left", i), bottom = force(body, u, "bottom", i);
        EXPECT_NEAR(left + 0.2, -force(body, u, "right", i), 1e-10);  // P n = support + traction
        double spring = 0;                                            // ∫ k u over the bottom
        for (int j = 0; j < dim; ++j) spring += j == 1 ? 0 : 1.5 * H[3 * i + j] * 0.5;
        EXPECT_NEAR(bottom - spring, -force(body, u, "top", i), 1e-10);
      }
    }
}

// Incompressible block pulled to the stretch λ with free sides: nominal stress μ (λ − 1/λ²) (Treloar,
// The Physics of Rubber Elasticity, ch. 4), the state is uniform and hence exact.
TEST(Textbook, UniaxialStretchOfAnIncompressibleBlock) {
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron})
    for (const double stretch : {0.7, 1.4, 2.0}) {
      SolidProblem s(make_box({0, 0, 0}, {1, 1, 1}, {2, 2, 1}, shape, 2), SolidKind::spatial, {.mixed = true});
      s.material("neo_hookean", {3.0, test::infinity});
      s.hold("left", 0);
      s.hold("bottom", 1);
      s.hold("back", 2);
      s.hold("right", 0, [=](const double*) { return stretch - 1; });
      Vec u = s.solve(2);
      EXPECT_NEAR(force(s, u, "right", 0), stretch - 1 / (stretch * stretch), 1e-11);
      const double side = 1 / std::sqrt(stretch) - 1;
      EXPECT_LT(s.largest_error(u, [=](int i, const double* x) { return (i == 0 ? stretch - 1 : side) * x[i]; }, 0, 3),
                1e-11);
      // σ_yy = 0: p = μ (b_yy − tr b / 3)
      const double p = 1 / stretch - (stretch * stretch + 2 / stretch) / 3;
      EXPECT_LT(s.largest_error(u, [=](int, const double*) { return p; }, 3, 4), 1e-10);
    }
}

// Tube A < R < B of an incompressible neo-Hookean solid, no axial strain, internal pressure P:
//   r² = R² + k,   P = μ [ln(B/A) − ln(b/a) + k/2 (1/a² − 1/b²)]
// from σ_rr' = μ (r²/R² − R²/r²)/r (Green and Zerna, Theoretical Elasticity, ch. 3).
struct Tube {
  double A = 1, B = 2, a = 1.5, mu = 1;
  double k = a * a - A * A, b = std::sqrt(B * B + k);
  double pressure = mu * (std::log(B / A) - std::log(b / a) + k / 2 * (1 / (a * a) - 1 / (b * b)));
  double radius(double R) const { return std::sqrt(R * R + k); }
};

// Nodal errors fall with order 3 (4, 8, 16 cells: 3.0e-5, 4.0e-6, 5.5e-7); the bounds are about twice those
// of 8 cells, five orders below the displacement.
TEST(Textbook, InflationOfAnAxisymmetricTube) {
  const Tube tube;
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    SolidProblem s(make_rectangle(tube.A, 0, tube.B, 0.25, 8, 2, shape, 2), SolidKind::axisymmetric,
                   {.mixed = true});
    s.material("neo_hookean", {3 * tube.mu, test::infinity});
    s.pressure("left", tube.pressure);
    s.hold("bottom", 1);
    s.hold("top", 1);
    Vec u = s.solve(4);
    EXPECT_LT(s.largest_error(u, [&](int i, const double* x) { return i == 0 ? tube.radius(x[0]) - x[0] : 0.0; }, 0, 2),
              1e-5);
  }
}

TEST(Textbook, InflationOfATubeInPlaneStrain) {
  const Tube tube;
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    SolidProblem s(test::quarter_ring(tube.A, tube.A, tube.B, tube.B, 8, 8, shape, 2), SolidKind::plane_strain,
                   {.mixed = true});
    s.material("neo_hookean", {3 * tube.mu, test::infinity});
    s.pressure("left", tube.pressure);
    s.hold("bottom", 1);
    s.hold("top", 0);
    Vec u = s.solve(4);
    const auto exact = [&](int i, const double* x) {
      const double R = std::hypot(x[0], x[1]);
      return (tube.radius(R) / R - 1) * x[i];
    };
    EXPECT_LT(s.largest_error(u, exact, 0, 2), 5e-5);
    // Each edge carries the pressure on the deformed radius.
    EXPECT_NEAR(force(s, u, "bottom", 1), -tube.pressure * tube.a, 5e-6);
    EXPECT_NEAR(force(s, u, "top", 0), -tube.pressure * tube.a, 5e-6);
  }
}

}  // namespace
}  // namespace invar
