// Resultants of loads against closed forms.
#include <gtest/gtest.h>

#include <array>

#include "libfem/objective/reaction.hpp"
#include "libfem/solid/centrifugal_form.hpp"
#include "libfem/solid/load_library.hpp"
#include "tests/support/full_load.hpp"
#include "tests/unit/form/field_error.hpp"
#include "tests/unit/form/solid_problem.hpp"
#include "tests/unit/form/test_meshes.hpp"
#include "tests/unit/mesh/measure.hpp"

namespace invar {
namespace {

using test::SolidProblem, test::VectorField;
using std::numbers::pi;

/// Virtual work r(v) of all forms at u.
double work(SolidProblem& s, const VectorField& u, const VectorField& v) {
  s.finish();
  VecHandle at = s.interpolate(u), along = s.interpolate(v), r = s.residual()->create_vector();
  s.residual()->raw_residual(test::at_full_load(*s.residual(), at), r);
  double w = 0;
  check(VecDot(r, along, &w));
  return w;
}

const VectorField zero = [](int, const double*) { return 0.0; };
VectorField unit(int direction) {
  return [=](int c, const double*) { return c == direction ? 1.0 : 0.0; };
}

// r = −load; sizes of boxes are exact, so is every polynomial of the load: tolerance round-off.
TEST(Loads, ForcesOnBoxes) {
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron})
    for (const int order : {1, 2}) {
      const Mesh box = make_box({0, 0, 0}, {2, 3, 0.5}, {2, 2, 1}, shape, order);
      SolidProblem traction(box, SolidKind::spatial), body(box, SolidKind::spatial), linear(box, SolidKind::spatial);
      traction.traction("top", {1.5, -2, 0.25});  // area 2 × 0.5
      EXPECT_NEAR(work(traction, zero, unit(0)), -1.5, 1e-13);
      EXPECT_NEAR(work(traction, zero, unit(1)), 2.0, 1e-13);
      EXPECT_NEAR(work(traction, zero, unit(2)), -0.25, 1e-13);
      body.body_force([](int i, const double* x) { return i == 1 ? 4 * x[0] : 0.0; });  // ∫ 4x dV = 4 · 2 · 1.5
      EXPECT_NEAR(work(body, zero, unit(1)), -12.0, 1e-12);
      linear.traction("right", [](int i, const double* x) { return i == 0 ? x[1] : 0.0; });  // ∫ y dA = 4.5 · 0.5
      EXPECT_NEAR(work(linear, zero, unit(0)), -2.25, 1e-13);
      // Along v_x = y: ∫ y · y dA = 9 · 0.5.
      EXPECT_NEAR(work(linear, zero, [](int c, const double* x) { return c == 0 ? x[1] : 0.0; }), -4.5, 1e-12);
    }
}

/// Adds the load with constant coefficients: density, speed, a point on the axis, its direction.
void rotate(SolidProblem& s, SolidKind kind, bool deformed, const std::vector<double>& numbers) {
  std::vector<ControlledValue> values;
  for (const double v : numbers) values.push_back({s.residual()->add_control({"", ""}, {v}), {}});
  s.residual()->add_form(make_centrifugal(kind, deformed, CellBatches::on_cells(s.dofs(), "", 4)), values);
}

// The resultant is mass · ω² · distance of its centre from the axis; that of the deformed body moves with it.
TEST(Loads, CentrifugalForcesActAtTheDistanceFromTheAxis) {
  const VectorField shift = [](int c, const double*) { return 0.25 * (c + 1); };
  SolidProblem plane(make_rectangle(0, 0, 2, 1, 2, 2, Shape::triangle, 1), SolidKind::plane_strain), moved(make_rectangle(0, 0, 2, 1, 2, 2, Shape::triangle, 1), SolidKind::plane_strain);
  rotate(plane, SolidKind::plane_strain, false, {3, 2, 0.4, -0.5, 0, 0});  // mass 6, centre (1, 0.5)
  rotate(moved, SolidKind::plane_strain, true, {3, 2, 0.4, -0.5, 0, 0});
  EXPECT_NEAR(work(plane, zero, unit(0)), -24 * 0.6, 1e-12);
  EXPECT_NEAR(work(plane, shift, unit(1)), -24 * 1.0, 1e-12);
  EXPECT_NEAR(work(moved, shift, unit(0)), -24 * 0.85, 1e-12);
  EXPECT_NEAR(work(moved, shift, unit(1)), -24 * 1.5, 1e-12);
  EXPECT_FALSE(plane.residual()->around_axis());
  // About the diagonal of x and y through (1, 0, 0): of the centre (1, 1.5, 0.25) the part (0, 1.5, 0.25) counts, less its mean of x and y.
  SolidProblem space(make_box({0, 0, 0}, {2, 3, 0.5}, {2, 2, 1}, Shape::hexahedron, 1), SolidKind::spatial);
  rotate(space, SolidKind::spatial, true, {2, 1.5, 1, 0, 0, 4, 4, 0});
  const double force = 2 * 3 * 1.5 * 1.5, d[]{-0.75, 0.75, 0.25}, u[]{-0.125, 0.125, 0.75};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(work(space, zero, unit(i)), -force * d[i], 1e-12);
    EXPECT_NEAR(work(space, shift, unit(i)), -force * (d[i] + u[i]), 1e-12);
  }
}

// A long cylinder that rotates about its axis, held at its ends: u = C ((2λ + 3μ)/(λ + μ) b² r − r³), C = ρ ω²/(8 (λ + 2μ)).
TEST(Loads, CentrifugalForceOfACylinder) {
  const double E = 10, nu = 0.3, lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), mu = E / (2 * (1 + nu)), C = 0.2 * 1.5 * 1.5 / (8 * (lambda + 2 * mu));
  const VectorField exact = [&](int i, const double* x) { return i == 1 ? 0.0 : C * ((2 * lambda + 3 * mu) / (lambda + mu) * 4 * x[0] - x[0] * x[0] * x[0]); };
  double before = 0;
  for (const int n : {4, 8}) {
    SolidProblem p(make_rectangle(0, 0, 2, 0.5, n, 1, Shape::quadrilateral, 2), SolidKind::axisymmetric);
    p.material("linear_elastic", {E, nu});
    rotate(p, SolidKind::axisymmetric, false, {0.2, 1.5, 0, 0, 0, 0});
    p.hold("left", 0);
    p.hold("bottom", 1);
    p.hold("top", 1);
    const double error = p.largest_error(p.solve(), exact, 0, 2) / exact(0, std::array{2.0, 0.0}.data());
    if (n == 8) {
      EXPECT_GT(before / error, 7);
      EXPECT_LT(error, 1e-4);
    }
    before = error;
  }
}

TEST(Loads, AxisymmetricLoadsTurnAround) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral})
    for (const int order : {1, 2}) {
      const Mesh ring = make_rectangle(1, 0, 3, 2, 3, 2, shape, order);
      SolidProblem top(ring, SolidKind::axisymmetric), outer(ring, SolidKind::axisymmetric),
          body(ring, SolidKind::axisymmetric), follower(ring, SolidKind::axisymmetric);
      top.traction("top", {0, 1});
      EXPECT_NEAR(work(top, zero, unit(1)), -pi * (9 - 1), 1e-12);
      outer.traction("right", {1, 0});
      EXPECT_NEAR(work(outer, zero, unit(0)), -2 * pi * 3 * 2, 1e-12);
      body.body_force([](int i, const double*) { return double(i); });
      EXPECT_NEAR(work(body, zero, unit(1)), -pi * (9 - 1) * 2, 1e-12);
      // On the outer side moved out to r = 4 and stretched to length 3: p · 2π · 4 · 3 inward.
      follower.pressure("right", 0.5);
      EXPECT_NEAR(work(follower, [](int i, const double* x) { return i == 0 ? 1.0 : 0.5 * x[1]; }, unit(0)),
                  0.5 * 2 * pi * 4 * 3, 1e-12);
    }
}

// A quarter circle of radius 2 in parabolas: ∫ n ds depends on the ends alone and is exact; the length
// is not: 8 arcs of 0.2 rad each are short by less than (0.2)⁴ / 100.
TEST(Loads, CurvedEdges) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    const Mesh ring = test::quarter_ring(1, 1, 2, 2, 3, 8, shape, 2);
    SolidProblem traction(ring, SolidKind::plane_strain), pressure(ring, SolidKind::plane_strain);
    traction.traction("right", {1, 0});
    EXPECT_NEAR(work(traction, zero, unit(0)), -pi, 2e-5);
    pressure.pressure("right", 0.7);
    EXPECT_NEAR(work(pressure, zero, unit(0)), 0.7 * 2, 1e-13);
    EXPECT_NEAR(work(pressure, zero, unit(1)), 0.7 * 2, 1e-13);
  }
}

// The upper face of a box lifted to the graph of z = 1 + x (1 − x) y (1 − y) / 2, which the cells
// represent exactly; its area is ∫ √(1 + z_x² + z_y²).
TEST(Loads, CurvedFacesInSpace) {
  const auto height = [](double x, double y) { return 0.5 * x * (1 - x) * y * (1 - y); };
  const Mesh mesh = test::warped(make_box({0, 0, 0}, {1, 1, 1}, {3, 3, 1}, Shape::hexahedron, 2),
                                 [&](double* x) { x[2] += height(x[0], x[1]) * x[2]; });
  double area = 0;  // midpoint rule on 400² squares: error about 1e-7
  for (int i = 0; i < 400; ++i)
    for (int j = 0; j < 400; ++j) {
      const double x = (i + 0.5) / 400, y = (j + 0.5) / 400;
      area += std::hypot(1, 0.5 * (1 - 2 * x) * y * (1 - y), 0.5 * x * (1 - x) * (1 - 2 * y)) / 160000;
    }
  SolidProblem s(mesh, SolidKind::spatial), p(mesh, SolidKind::spatial);
  s.traction("front", {0, 0, 1});
  EXPECT_NEAR(work(s, zero, unit(2)), -area, 1e-6);
  EXPECT_GT(area, 1.002);  // the bulge is seen
  p.pressure("front", 2.0);
  EXPECT_NEAR(work(p, zero, unit(2)), 2.0, 1e-13);  // its shadow
}

/// A displacement under which nothing stays straight.
const VectorField bulge = [](int i, const double* x) {
  return 0.1 * std::sin(1.5 * x[0] + i) * std::cos(1.1 * x[1]) + 0.05 * x[i] * x[0];
};

/// The volume (area) that the deformed nodes enclose.
double deformed_volume(const Mesh& serial, double factor) {
  Mesh mesh = serial;
  for (int n = 0; n < mesh.node_total(); ++n)
    for (int i = 0; i < mesh.dim; ++i)
      mesh.coordinates[n * mesh.dim + i] += factor * bulge(i, &serial.coordinates[n * mesh.dim]);
  return test::measure(mesh, "body").size;
}

// Pressure all around a deformed body: no net force, no net moment about the deformed place, and work
// p dV along any motion. V(s) is a cubic of s, so that Simpson's rule for ∫ r(u) · du is exact.
TEST(Loads, PressureAllAroundDoesVolumeWork) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron})
    for (const int order : {1, 2}) {
      SCOPED_TRACE(std::string(name_of(shape)) + " of order " + std::to_string(order));
      const Mesh mesh = test::distorted_block(shape, order, true);
      const int dim = mesh.dim;
      SolidProblem s(mesh, dim == 3 ? SolidKind::spatial : SolidKind::plane_strain);
      for (const std::string& side : test::sides(dim)) s.pressure(side, 0.8);
      for (int i = 0; i < dim; ++i) EXPECT_NEAR(work(s, bulge, unit(i)), 0, 1e-14);
      const VectorField spin = [](int i, const double* x) {
        const double at[2] = {x[0] + bulge(0, x), x[1] + bulge(1, x)};
        return i == 0 ? -at[1] : i == 1 ? at[0] : 0.0;
      };
      EXPECT_NEAR(work(s, bulge, spin), 0, 1e-14);
      double done = 0;
      for (const auto& [factor, weight] : {std::pair{0.0, 1.0 / 6}, {0.5, 4.0 / 6}, {1.0, 1.0 / 6}})
        done += weight * work(s, [f = factor](int i, const double* x) { return f * bulge(i, x); }, bulge);
      EXPECT_NEAR(done, 0.8 * (deformed_volume(mesh, 1) - deformed_volume(mesh, 0)), 1e-13);
    }
}

// Axisymmetric, body off the axis: pressure all around has no axial force.
TEST(Loads, AxisymmetricPressureAllAround) {
  const Mesh ring = test::warped(test::distorted_block(Shape::quadrilateral, 2, true), [](double* x) { x[0] += 1; });
  SolidProblem s(ring, SolidKind::axisymmetric);
  for (const std::string& side : test::sides(2)) s.pressure(side, 0.8);
  // 2πr times a curved normal: of degree 2 + 1 + 2 along the edge, integrated exactly.
  EXPECT_NEAR(work(s, bulge, unit(1)), 0, 1e-12);
}

// A column of height 2 on springs k [N/m³] under the pressure t: the base sinks by t/k, the column
// shortens by t · 2 / E (ν = 0).
TEST(Loads, ColumnOnAFoundation) {
  constexpr double t = 0.3, k = 4, E = 5;
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    SolidProblem s(make_rectangle(0, 0, 1, 2, 2, 3, shape), SolidKind::plane_strain);
    s.material("linear_elastic", {E, 0.0});
    s.traction("top", {0, -t});
    s.foundation("bottom", {1, k});
    Vec u = s.solve();
    EXPECT_LT(s.largest_error(u, [&](int i, const double* x) { return i == 0 ? 0 : -t / k - t * x[1] / E; }, 0, 2),
              1e-13);
    EXPECT_NEAR(s.residual()->form_value(2, test::at_full_load(*s.residual(), u)), 0.5 * k * (t / k) * (t / k), 1e-14);
  }
}

TEST(Loads, FoundationAroundARing) {
  SolidProblem s(make_rectangle(1, 0, 3, 2, 2, 2, Shape::quadrilateral), SolidKind::axisymmetric);
  s.foundation("right", {0.4, 0});
  EXPECT_NEAR(work(s, [](int i, const double*) { return i == 0 ? 0.1 : 5.0; }, unit(0)), 0.4 * 0.1 * 2 * pi * 3 * 2,
              1e-13);
}

/// Where the library says that a load keeps the energy a convex quadratic function, its force is affine in the displacement and does not drive it.
TEST(Loads, QuadraticOnesAreDeadOrResist) {
  int tested = 0;
  for (const SolidLoad& load : solid_loads()) {
    if (!load.quadratic) continue;
    ++tested;
    SolidProblem s(make_rectangle(0, 0, 2, 1, 2, 1, Shape::quadrilateral, 2), SolidKind::plane_strain);
    using enum TermSpec::Domain;
    const CellBatches domain = load.domain == cells ? CellBatches::on_cells(s.dofs(), "", 4)
                               : load.domain == points ? CellBatches::on_points(s.dofs(), "right_top") : CellBatches::on_facets(s.dofs(), "right", 4);
    std::vector<ControlledValue> values;
    TermSetting setting{.dim = 2, .choice = {}, .numbers = {}};
    for (const TermParameter& p : load.parameters)
      for (int i = 0; i < (p.per_axis ? 2 : 1); ++i) {
        setting.numbers.push_back(1.5 + i);
        values.push_back({s.residual()->add_control({"", ""}, {1.5 + i}), {}});
      }
    s.residual()->add_form(load.make(SolidKind::plane_strain, setting, domain), values);
    const auto field = [](double size) { return VectorField([=](int c, const double* x) { return size * (c == 0 ? 0.3 * x[0] - 0.1 * x[1] * x[1] : 0.2 + 0.4 * x[0]); }); };
    const auto force = [&](double size, int along) { return work(s, field(size), [=](int c, const double* x) { return c == along ? 1 + x[0] * x[1] : 0.0; }); };
    for (const int along : {0, 1}) EXPECT_NEAR(force(2, along) - force(0, along), 2 * (force(1, along) - force(0, along)), 1e-12) << load.name;
    EXPECT_GE(work(s, field(1), field(1)) - work(s, field(0), field(1)), load.dead ? -1e-12 : 0.1) << load.name;
  }
  EXPECT_EQ(tested, 5);
}

}  // namespace
}  // namespace invar
