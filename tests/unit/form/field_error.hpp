#pragma once
#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <functional>

#include "libfem/mesh/reference_element.hpp"
#include "libfem/space/dof_map.hpp"
#include "libfem/space/quadrature.hpp"

namespace invar::test {

/// The unknown at a point of a cell, interpolated here and not by the forms' kernels.
struct CellPoint {
  std::array<double, 3> x{};       // position, m
  double det = 0;                  // of ∂X/∂ξ
  std::array<double, 5> value{};   // per component
  Eigen::Matrix<double, 5, 3> gradient = Eigen::Matrix<double, 5, 3>::Zero();  // ∂u_c/∂X_j
};

inline CellPoint point_of(const DofMap& dofs, const double* local, int block, int cell, const double* xi) {
  const Mesh& mesh = dofs.mesh();
  const CellType type = mesh.cells[block].type;
  const int* nodes = &mesh.cells[block].nodes[std::size_t(cell) * node_count(type)];
  const int dim = mesh.dim;
  double N[27], dN[81];
  shape_values(type, xi, N);
  shape_gradients(type, xi, dN);
  CellPoint p;
  Eigen::Matrix3d A = Eigen::Matrix3d::Identity();
  for (int i = 0; i < dim; ++i)
    for (int m = 0; m < dim; ++m) A(i, m) = 0;
  for (int a = 0; a < node_count(type); ++a)
    for (int i = 0; i < dim; ++i) {
      const double X = mesh.coordinates[std::size_t(nodes[a]) * dim + i];
      p.x[i] += N[a] * X;
      for (int m = 0; m < dim; ++m) A(i, m) += dN[a * dim + m] * X;
    }
  p.det = A.determinant();
  const Eigen::Matrix3d inverse = A.inverse();
  for (int c = 0; c < dofs.n_components(); ++c) {
    const CellType space{type.shape, dofs.components()[c].order};
    shape_values(space, xi, N);
    shape_gradients(space, xi, dN);
    for (int a = 0; a < node_count(space); ++a) {
      const int dof = dofs.dof(nodes[a], c);
      const double u = dof < 0 ? 0 : local[dof];  // outside of the component's region: nothing
      p.value[c] += N[a] * u;
      for (int j = 0; j < dim; ++j)
        for (int m = 0; m < dim; ++m) p.gradient(c, j) += u * dN[a * dim + m] * inverse(m, j);
    }
  }
  return p;
}

/// visit(point, weight) at the quadrature points of this rank's own cells; weight includes det.
template <class Visit>
void for_each_point(const DofMap& dofs, Vec u, int degree, Visit&& visit) {
  const LocalArray local(u);
  for (std::size_t b = 0; b < dofs.mesh().cells.size(); ++b) {
    const CellBlock& block = dofs.mesh().cells[b];
    const Quadrature rule = quadrature(block.type.shape, degree);
    for (int c = 0; c < block.n_owned; ++c)
      for (int q = 0; q < rule.count(); ++q) {
        const CellPoint p = point_of(dofs, local.data(), int(b), c, &rule.points[q * dofs.mesh().dim]);
        visit(p, rule.weights[q] * p.det);
      }
  }
}

inline double sum_over_ranks(double v, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, &v, 1, MPI_DOUBLE, MPI_SUM, comm);
  return v;
}

struct ErrorNorms {
  double l2 = 0, h1 = 0;  // ‖u − u_h‖ and ‖∇u − ∇u_h‖
};

/// Over components first … last − 1. exact(c, x), gradient(c, j, x).
inline ErrorNorms error_norms(const DofMap& dofs, Vec u, int first, int last,
                              const std::function<double(int, const double*)>& exact,
                              const std::function<double(int, int, const double*)>& gradient) {
  ErrorNorms e;
  for_each_point(dofs, u, 7, [&](const CellPoint& p, double w) {
    for (int c = first; c < last; ++c) {
      e.l2 += w * std::pow(p.value[c] - exact(c, p.x.data()), 2);
      for (int j = 0; j < dofs.mesh().dim; ++j)
        e.h1 += w * std::pow(p.gradient(c, j) - gradient(c, j, p.x.data()), 2);
    }
  });
  return {std::sqrt(sum_over_ranks(e.l2, dofs.comm())), std::sqrt(sum_over_ranks(e.h1, dofs.comm()))};
}

/// Sixth-order central difference of f at 0 with step h.
template <class F>
double central_difference(F&& f, double h) {
  return (45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + (f(3 * h) - f(-3 * h))) / (60 * h);
}

}  // namespace invar::test
