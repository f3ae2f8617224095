// What supports exert: equilibrium with the loads, and textbook solutions at large strain.
#include <gtest/gtest.h>

#include "libfem/objective/reaction.hpp"
#include "tests/unit/form/solid_problem.hpp"
#include "tests/unit/form/test_meshes.hpp"

namespace invar {
namespace {

using test::SolidProblem;
using std::numbers::pi;

double force(SolidProblem& s, Vec u, const std::string& region, int direction) {
  std::vector<double> along(s.dim(), 0.0);
  along[direction] = 1;
  double y = 0;
  Reaction::force(s.residual(), region, along)->evaluate(u, &y);
  return y;
}

double moment(SolidProblem& s, Vec u, const std::string& region, const std::array<double, 3>& axis) {
  double y = 0;
  Reaction::moment(s.residual(), region, {0, 0, 0}, axis)->evaluate(u, &y);
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

TEST(Reactions, AxisymmetricTubeUnderAxialLoad) {
  SolidProblem s(make_rectangle(1, 0, 2, 3, 3, 4, Shape::quadrilateral, 2), SolidKind::axisymmetric);
  s.material("neo_hookean", {10.0, 0.3});
  s.traction("top", {0, 0.2});
  s.hold("bottom", 0);
  s.hold("bottom", 1);
  EXPECT_NEAR(force(s, s.solve(), "bottom", 1), -0.2 * pi * 3, 1e-11);
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
                   {.mixed = true, .symmetric = false});
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
                   {.mixed = true, .symmetric = false});
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
