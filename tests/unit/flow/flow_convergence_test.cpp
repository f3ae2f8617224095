// Orders of convergence to a manufactured flow with everything that the equation contains.
#include <gtest/gtest.h>

#include "tests/unit/flow/flow_problem.hpp"
#include "tests/unit/flow/manufactured_flow.hpp"

namespace invar {
namespace {

using test::FlowOptions, test::FlowProblem, test::ManufacturedFlow;
using enum FlowDiscretisation;

/// [0.3, 1.3] × [0, 1] (× [0, 1]) with cells bent inside.
Mesh block(Shape shape, int order, int n) {
  const int dim = dimension_of(shape);
  const Mesh mesh = dim == 2 ? make_rectangle(0, 0, 1, 1, n, n, shape, order)
                             : make_box({0, 0, 0}, {1, 1, 1}, {n, n, n}, shape, order);
  return test::warped(mesh, [dim](double* x) {
    double bump = 1;
    for (int i = 0; i < dim; ++i) bump *= std::sin(std::numbers::pi * x[i]);
    for (int i = 0; i < dim; ++i) x[i] += (0.06 - 0.04 * i) * bump;
    x[0] += 0.3;
  });
}

struct ManufacturedCase {
  ManufacturedFlow exact;
  Shape shape;
  FlowDiscretisation discretisation;
  int cells;  // per side of the coarse mesh
};

/// ‖u − u_h‖, ‖∇u − ∇u_h‖ and ‖p − p_h‖
std::array<double, 3> errors(const ManufacturedCase& c, int n) {
  const ManufacturedFlow& exact = c.exact;
  const int dim = exact.dim(), order = c.discretisation == taylor_hood ? 2 : 1;
  FlowOptions o;
  o.kind = exact.kind;
  o.discretisation = c.discretisation;
  o.law = exact.carreau ? "carreau" : "newtonian";
  o.parameters = exact.parameters();
  o.convection = exact.convection;
  o.stress_form = exact.stress_form;
  o.resistance = exact.resistance;
  o.force = [&](int i, const double* x) { return exact.force(i, x); };
  FlowProblem problem(block(c.shape, order, n), o);
  const auto value = [&](int i, const double* x) { return exact.value(i, x); };
  std::vector<std::string> held = test::sides(dim);
  std::erase(held, "right");
  problem.hold(held, value);
  problem.traction("right", [&](int i, const double* x) { return exact.traction(i, x); });
  Vec u = problem.solve();
  const auto gradient = [&](int i, int j, const double* x) {
    return exact.gradient(ManufacturedFlow::point(x, dim)).L[i][j];
  };
  const auto velocity = test::error_norms(*problem.dofs(), u, 0, dim, value, gradient);
  const auto pressure = test::error_norms(*problem.dofs(), u, dim, dim + 1, value, [](auto...) { return 0.0; });
  return {velocity.l2, velocity.h1, pressure.l2};
}

/// Taylor–Hood: 3, 2 and 2; equal order: 2, 1 and at least 1 (in practice 3/2).
void expect_convergence(const ManufacturedCase& c) {
  const auto coarse = errors(c, c.cells), fine = errors(c, 2 * c.cells);
  const bool second = c.discretisation == taylor_hood;
  const double tolerance = c.exact.dim() == 3 ? 0.15 : 0.1;
  const auto order = [&](int k) { return std::log2(coarse[k] / fine[k]); };
  EXPECT_GT(order(0), (second ? 3 : 2) - tolerance);
  EXPECT_GT(order(1), (second ? 2 : 1) - tolerance);
  EXPECT_GT(order(2), (second ? 2 : 1.5) - tolerance);
}

// carreau, stress form, convection
constexpr bool variants[][3] = {{true, true, true}, {false, false, true}, {true, false, true}, {false, true, false}};

void expect_convergence(FlowKind kind, Shape shape, FlowDiscretisation discretisation, int cells, int n_variants = 4) {
  for (int k = 0; k < n_variants; ++k) {
    SCOPED_TRACE(std::string(name_of(shape)) + ", variant " + std::to_string(k));
    expect_convergence({{kind, variants[k][0], variants[k][1], variants[k][2]}, shape, discretisation, cells});
  }
}

TEST(FlowConvergence, PlanarTaylorHood) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral})
    expect_convergence(FlowKind::planar, shape, taylor_hood, 8);
}
TEST(FlowConvergence, PlanarEqualOrder) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral})
    expect_convergence(FlowKind::planar, shape, equal_order, 16);
}
TEST(FlowConvergence, AxisymmetricTaylorHood) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral})
    expect_convergence(FlowKind::axisymmetric, shape, taylor_hood, 8);
}
TEST(FlowConvergence, AxisymmetricEqualOrder) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral})
    expect_convergence(FlowKind::axisymmetric, shape, equal_order, 16);
}
TEST(FlowConvergence, SpatialTaylorHood) {
  expect_convergence(FlowKind::spatial, Shape::tetrahedron, taylor_hood, 2, 1);
  expect_convergence(FlowKind::spatial, Shape::hexahedron, taylor_hood, 2, 1);
}
TEST(FlowConvergence, SpatialEqualOrder) {
  expect_convergence(FlowKind::spatial, Shape::tetrahedron, equal_order, 4, 1);
  expect_convergence(FlowKind::spatial, Shape::hexahedron, equal_order, 4, 1);
}

}  // namespace
}  // namespace invar
