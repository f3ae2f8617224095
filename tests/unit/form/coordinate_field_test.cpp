#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/form/value_energy.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/space/wall_proximity.hpp"
#include "tests/unit/form/test_meshes.hpp"

namespace invar::coordinate_fields {
namespace {

using Array = std::vector<double>;

struct DistanceCase {
  Shape shape;
  bool in_cells;  // the mean of 1/d in each cell in place of d
};

/// r(v) = ∫ (d + s) φ v, and the functional ½ ∫ d φ², with the distance d to two curved walls in a concave corner.
class WithDistance : public testing::TestWithParam<DistanceCase> {
 protected:
  WithDistance() {
    const int dim = dimension_of(GetParam().shape);
    Mesh serial = dim == 2 ? make_rectangle(0, 0, 1, 1, 4, 5, GetParam().shape, 2) : make_box({0, 0, 0}, {1, 1, 1}, {2, 3, 2}, GetParam().shape, 2);
    // No node's nearest point may lie on a wall's edge and be free to leave it: second derivatives jump there.
    serial = test::warped(std::move(serial), [dim](double* x) {
      const double a = x[0], b = x[1], c = dim == 3 ? x[2] : 0.0;
      if (dim == 3) {
        x[0] = a + 0.11 * std::sin(3.1 * b + 1.3 * c) * (1 - a);
        x[1] = b + 0.09 * std::cos(3.7 * a - 1.1 * c) * (1 - b);
        x[2] = c + 0.10 * std::sin(2.8 * a + 2.2 * b + 0.5) * (1 - 0.7 * c);
        return;
      }
      x[0] = a + 0.13 * std::sin(4.1 * b + 0.3) * (1 - a);
      x[1] = b + 0.11 * std::sin(5.3 * a + 0.7) * (1 - b) + 0.03 * a;
    });
    auto mesh = std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD));
    auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"phi", 1}}, PETSC_COMM_WORLD);
    residual = std::make_unique<FormResidual>(dofs);
    residual->add_coordinates();
    const int s = residual->add_control({.name = "s"}, {0.4});
    const auto walls = std::make_shared<WallDistance>(mesh, std::vector<std::string>{"left", "bottom"});
    const int field = GetParam().in_cells ? residual->add_field(std::make_shared<WallProximity>(mesh, walls)) : residual->add_field(walls);
    const CellBatches cells = CellBatches::on_cells(dofs, "", 4);
    ControlledValue distance, number;
    distance.field = field, number.control = s;
    residual->add_form(make_value_energy(dim, false, cells), {distance});
    residual->add_form(make_value_energy(dim, false, cells), {number});
    functional = residual->add_functional(make_value_energy(dim, false, cells), {distance});
    residual->finish();
    u = vector(0.3), u_dot = vector(0.9), lambda = vector(1.7), lambda_dot = vector(2.2);
    for (int n = 0; n < mesh->node_total(); ++n)
      for (int i = 0; i < dim; ++i) x_dot.push_back(std::sin(12.9898 * mesh->original_node[n] + 78.233 * i));
  }

  double at_node(int node, double seed) const { return std::sin(3.7 * residual->dofs().mesh().original_node[node] + 5 * seed); }
  VecHandle vector(double seed) const {
    const DofMap& dofs = residual->dofs();
    VecHandle v = dofs.create_vector();
    double* a = nullptr;
    check(VecGetArray(v, &a));
    for (int n = 0; n < dofs.mesh().n_owned_nodes; ++n)
      if (const int dof = dofs.dof(n, 0); dof >= 0) a[dof] = at_node(n, seed);
    check(VecRestoreArray(v, &a));
    return v;
  }
  VecHandle moved(Vec v, Vec v_dot, double h) const {
    VecHandle w = residual->create_vector();
    check(VecWAXPY(w, h, v_dot, v));
    return w;
  }
  Setting moved(double h) const {
    Controls d = residual->control_values();
    for (std::size_t i = 0; i < x_dot.size(); ++i) d[0][i] += h * x_dot[i];
    return {std::make_shared<const Controls>(std::move(d))};
  }
  Controls direction() const { return {x_dot, {}}; }
  Controls zeros() const { return {Array(x_dot.size(), 0.0), {}}; }
  double along(const Controls& d_bar) const {
    double sum = 0;
    for (int i = 0; i < residual->dofs().mesh().n_owned_nodes * residual->dofs().mesh().dim; ++i) sum += d_bar[0][i] * x_dot[i];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    return sum;
  }
  /// Sum of weights times the owned entries: all derivatives by coordinates as one number.
  double weighed(const Controls& d_bar) const {
    double sum = 0;
    const Mesh& mesh = residual->dofs().mesh();
    for (int n = 0; n < mesh.n_owned_nodes; ++n)
      for (int i = 0; i < mesh.dim; ++i) sum += d_bar[0][std::size_t(n) * mesh.dim + i] * at_node(n, 7 + i);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    return sum;
  }
  static double difference(const std::function<double(double)>& f) {
    constexpr double h = 2e-6;
    return (45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + (f(3 * h) - f(-3 * h))) / (60 * h);
  }
  static double dot(Vec a, Vec b) {
    double value = 0;
    check(VecDot(a, b, &value));
    return value;
  }

  std::unique_ptr<FormResidual> residual;
  int functional = -1;
  VecHandle u, u_dot, lambda, lambda_dot;
  Array x_dot;
};

TEST_P(WithDistance, DerivativesOfTheResidualAreExact) {
  const EvaluationPoint at{u, residual->given()};
  const Controls d_dot = direction();
  VecHandle r = residual->create_vector(), r_dot = residual->create_vector();
  residual->jvp(at, {Vec(u_dot)}, &d_dot, r_dot);
  const double slope = dot(lambda, r_dot);
  EXPECT_NEAR(slope, difference([&](double h) {
                VecHandle v = moved(u, u_dot, h);
                residual->residual({v, moved(h)}, r);
                return dot(lambda, r);
              }), 1e-9 * (1 + std::abs(slope)));

  VecHandle u_bar = residual->create_vector();
  Controls d_bar = zeros();
  residual->vjp(at, lambda, {Vec(u_bar)}, &d_bar);
  EXPECT_NEAR(dot(u_bar, u_dot) + along(d_bar), slope, 1e-13 * (1 + std::abs(slope)));

  VecHandle u_bar_dot = residual->create_vector();
  Controls d_bar_dot = zeros();
  residual->vjp_tangent(at, lambda, {Vec(u_dot)}, lambda_dot, &d_dot, {Vec(u_bar_dot)}, &d_bar_dot);
  const double expected = difference([&](double h) {
    VecHandle v = moved(u, u_dot, h), l = moved(lambda, lambda_dot, h);
    Controls bar = zeros();
    residual->vjp({v, moved(h)}, l, {}, &bar);
    return weighed(bar);
  });
  EXPECT_GT(std::abs(expected), 1e-3);
  EXPECT_NEAR(weighed(d_bar_dot), expected, 1e-8 * (1 + std::abs(expected)));
}

TEST_P(WithDistance, DerivativesOfAFunctionalAreExact) {
  const EvaluationPoint at{u, residual->given()};
  const Controls d_dot = direction();
  const double slope = residual->form_value_jvp(functional, at, {Vec(u_dot)}, &d_dot);
  EXPECT_NEAR(slope, difference([&](double h) {
                VecHandle v = moved(u, u_dot, h);
                return residual->form_value(functional, {v, moved(h)});
              }), 1e-9 * (1 + std::abs(slope)));

  VecHandle u_bar = residual->create_vector();
  Controls d_bar = zeros();
  residual->form_value_vjp(functional, at, 1.0, {Vec(u_bar)}, &d_bar);
  EXPECT_NEAR(dot(u_bar, u_dot) + along(d_bar), slope, 1e-13 * (1 + std::abs(slope)));

  Controls d_bar_dot = zeros();
  residual->form_value_vjp_tangent(functional, at, 1.0, {Vec(u_dot)}, &d_dot, {}, &d_bar_dot);
  const double expected = difference([&](double h) {
    VecHandle v = moved(u, u_dot, h);
    Controls bar = zeros();
    residual->form_value_vjp(functional, {v, moved(h)}, 1.0, {}, &bar);
    return weighed(bar);
  });
  EXPECT_NEAR(weighed(d_bar_dot), expected, 1e-8 * (1 + std::abs(expected)));
}

INSTANTIATE_TEST_SUITE_P(CoordinateField, WithDistance, testing::ValuesIn([] {
                           std::vector<DistanceCase> all;
                           for (const bool in_cells : {false, true})
                             for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron}) all.push_back({shape, in_cells});
                           return all;
                         }()),
                         [](const auto& info) { return std::string(name_of(info.param.shape)) + (info.param.in_cells ? "_in_cells" : ""); });

}  // namespace
}  // namespace invar::coordinate_fields
