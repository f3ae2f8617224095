// Roughness and size of fields on nodes against integrals by hand; their derivatives.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "libfem/design/field/nodal_penalty.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"

namespace invar::nodal_penalties {
namespace {

struct Rough {
  std::shared_ptr<FormResidual> residual;
  Setting given;
  int control = -1;

  template <class F>
  Rough(const Mesh& serial, F&& field) {
    const auto mesh = std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD));
    const auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u", 1}}, PETSC_COMM_WORLD);
    residual = std::make_shared<FormResidual>(dofs);
    std::vector<double> v;
    for (int n = 0; n < mesh->node_total(); ++n)
      for (int i = 0; i < mesh->dim; ++i) v.push_back(field(i, &mesh->coordinates[std::size_t(n) * mesh->dim]));
    control = residual->add_control({.name = "v", .unit = "", .layout = ControlLayout::nodes, .components = mesh->dim}, v);
    residual->finish();
    given = residual->given();
  }
  EvaluationPoint point() const { return {nullptr, given}; }
  double value(bool axisymmetric = false, NodalPenalty::Of of = NodalPenalty::Of::roughness) {
    double y = 0;
    NodalPenalty(residual, control, of, axisymmetric).evaluate(point(), &y);
    return y;
  }
};

double quadratic(int i, const double* x) { return i == 0 ? x[0] * x[0] : x[0] * x[1]; }

TEST(NodalPenalty, IsHalfTheIntegralOfTheSquaredGradient) {
  // ½ ∫ 4x² + y² + x² over the unit square, times 2πx around the axis.
  for (const Shape shape : {Shape::quadrilateral, Shape::triangle}) {
    Rough plane(make_rectangle(0, 0, 1, 1, 3, 2, shape, 2), quadratic);
    EXPECT_NEAR(plane.value(), 1, 1e-13);
    EXPECT_NEAR(plane.value(true), std::numbers::pi * (5.0 / 4 + 1.0 / 6), 1e-12);
  }
  // (x z, y z, x y): ½ ∫ 2 z² + 2 x² + 2 y² over the unit cube.
  Rough space(make_box({0, 0, 0}, {1, 1, 1}, {2, 1, 2}, Shape::tetrahedron, 2),
              [](int i, const double* x) { return i == 0 ? x[0] * x[2] : i == 1 ? x[1] * x[2] : x[0] * x[1]; });
  EXPECT_NEAR(space.value(), 1, 1e-13);
}

TEST(NodalPenalty, IsHalfTheIntegralOfTheSquare) {
  // ½ ∫ x⁴ + x² y² over the unit square, times 2πx around the axis.
  Rough plane(make_rectangle(0, 0, 1, 1, 3, 2, Shape::quadrilateral, 2), quadratic);
  EXPECT_NEAR(plane.value(false, NodalPenalty::Of::size), 0.5 * (1.0 / 5 + 1.0 / 9), 1e-13);
  EXPECT_NEAR(plane.value(true, NodalPenalty::Of::size), std::numbers::pi * (1.0 / 6 + 1.0 / 12), 1e-12);
  Rough space(make_box({0, 0, 0}, {1, 1, 1}, {2, 1, 2}, Shape::tetrahedron, 2), [](int i, const double* x) { return x[i]; });
  EXPECT_NEAR(space.value(false, NodalPenalty::Of::size), 0.5, 1e-13);
}

TEST(NodalPenalty, HasExactDerivatives) {
  Rough rough(make_rectangle(0, 0, 1, 1, 4, 4, Shape::quadrilateral, 2), quadratic);
  NodalPenalty y(rough.residual, rough.control, NodalPenalty::Of::roughness, false);
  const Mesh& mesh = rough.residual->dofs().mesh();
  Controls d_dot(1), d_bar(1), d_bar_dot(1);
  for (long long n : mesh.original_node)
    for (int i = 0; i < mesh.dim; ++i) d_dot[0].push_back(std::sin(1.3 * static_cast<double>(n) + i));
  d_bar[0].assign(d_dot[0].size(), 0.0);
  d_bar_dot = d_bar;
  double slope = 0, seed = 0.7, seed_dot = -0.4, bend = 0;
  y.jvp(rough.point(), nullptr, &d_dot, &slope);
  y.vjp(rough.point(), &seed, nullptr, &d_bar);
  y.vjp_tangent(rough.point(), &seed, &seed_dot, nullptr, &d_dot, nullptr, &d_bar_dot);
  const auto along = [&](const Controls& bar) {
    double sum = 0;
    for (int i = 0; i < mesh.n_owned_nodes * mesh.dim; ++i) sum += bar[0][i] * d_dot[0][i];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    return sum;
  };
  EXPECT_NEAR(along(d_bar), seed * slope, 1e-12 * std::abs(slope));
  // y(v + h v̇) = y + h slope + h² bend/2, exactly.
  Controls moved = rough.residual->control_values();
  const double at = rough.value();
  for (std::size_t i = 0; i < moved[0].size(); ++i) moved[0][i] += d_dot[0][i];
  rough.given.controls = std::make_shared<const Controls>(moved);
  bend = 2 * (rough.value() - at - slope);
  EXPECT_NEAR(along(d_bar_dot), seed * bend + seed_dot * slope, 1e-11 * bend);
}

}  // namespace
}  // namespace invar::nodal_penalties
