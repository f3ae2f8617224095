#include "libfem/mesh/cell_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "libfem/mesh/reference_element.hpp"
#include "libfem/mesh/simplex.hpp"

namespace invar {
namespace {

using Vector3 = std::array<double, 3>;

/// Nearest point of the reference cell.
void project(Shape shape, double* xi) {
  const int dim = dimension_of(shape);
  if (!is_simplex(shape)) {
    for (int d = 0; d < dim; ++d) xi[d] = std::clamp(xi[d], 0.0, 1.0);
    return;
  }
  double sum = 0, shift = 0;
  for (int d = 0; d < dim; ++d) sum += std::max(xi[d], 0.0);
  if (sum > 1) {  // onto Σ ξ = 1, ξ ≥ 0 (Held, Wolfe and Crowder 1974)
    Vector3 sorted{-1, -1, -1};
    double partial = 0;
    std::copy_n(xi, dim, sorted.begin());
    std::ranges::sort(sorted, std::greater<>());
    for (int k = 0; k < dim; ++k) {
      partial += sorted[k];
      const double candidate = (partial - 1) / (k + 1);
      if (sorted[k] > candidate) shift = candidate;
    }
  }
  for (int d = 0; d < dim; ++d) xi[d] = std::max(xi[d] - shift, 0.0);
}

/// b ← J⁻¹ b by Cramer's rule; false for a singular J.
bool solve(int dim, const double J[3][3], double* b) {
  if (dim == 2) {
    const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    if (det == 0) return false;
    const double first = (b[0] * J[1][1] - J[0][1] * b[1]) / det;
    b[1] = (J[0][0] * b[1] - b[0] * J[1][0]) / det;
    b[0] = first;
    return true;
  }
  const auto triple = [](const Vector3& a, const Vector3& c, const Vector3& e) {
    return a[0] * (c[1] * e[2] - c[2] * e[1]) + a[1] * (c[2] * e[0] - c[0] * e[2]) +
           a[2] * (c[0] * e[1] - c[1] * e[0]);
  };
  const auto column = [&](int e) { return Vector3{J[0][e], J[1][e], J[2][e]}; };
  const Vector3 u = column(0), v = column(1), w = column(2), right{b[0], b[1], b[2]};
  const double det = triple(u, v, w);
  if (det == 0) return false;
  b[0] = triple(right, v, w) / det;
  b[1] = triple(u, right, w) / det;
  b[2] = triple(u, v, right) / det;
  return true;
}

}  // namespace

CellMap::CellMap(const Mesh& mesh, int block, int cell)
    : type_(mesh.cells[block].type), dim_(mesh.dim), n_(node_count(type_)),
      x_(mesh.coordinates.data()),
      nodes_(mesh.cells[block].nodes.data() + static_cast<size_t>(cell) * n_) {}

/// r = x(ξ) − point; returns |r|².
double CellMap::residual(const double* xi, const double* point, double* r) const {
  double N[27];
  shape_values(type_, xi, N);
  double square = 0;
  for (int d = 0; d < dim_; ++d) {
    r[d] = -point[d];
    for (int a = 0; a < n_; ++a) r[d] += N[a] * x_[nodes_[a] * dim_ + d];
    square += r[d] * r[d];
  }
  return square;
}

void CellMap::jacobian(const double* xi, double J[3][3]) const {
  double dN[81];
  shape_gradients(type_, xi, dN);
  for (int d = 0; d < dim_; ++d)
    for (int e = 0; e < dim_; ++e) {
      J[d][e] = 0;
      for (int a = 0; a < n_; ++a) J[d][e] += x_[nodes_[a] * dim_ + d] * dN[a * dim_ + e];
    }
}

double CellMap::size() const {
  double largest = 0;
  for (int d = 0; d < dim_; ++d)
    for (int a = 1; a < n_; ++a)
      largest = std::max(largest, std::abs(x_[nodes_[a] * dim_ + d] - x_[nodes_[0] * dim_ + d]));
  return largest;
}

/// Solves x(ξ) = point from the middle of the cell; false without convergence.
bool CellMap::invert(const double* point, double* xi) const {
  std::ranges::copy(reference_nodes({type_.shape, 0}), xi);
  const bool affine = type_.order == 1 && is_simplex(type_.shape);
  double r[3], J[3][3];
  for (int iteration = 0; iteration < 30; ++iteration) {
    residual(xi, point, r);
    jacobian(xi, J);
    if (!solve(dim_, J, r)) return false;
    double step = 0;
    for (int d = 0; d < dim_; ++d) step = std::max(step, std::abs(r[d]));
    if (!std::isfinite(step)) return false;
    const double damping = affine ? 1.0 : std::min(1.0, 0.5 / step);
    for (int d = 0; d < dim_; ++d) xi[d] -= damping * r[d];
    if (affine || step < 1e-9) return true;  // the error is about the square of the step
  }
  return false;
}

bool CellMap::contains(const double* point, double* xi) const {
  if (!invert(point, xi)) return false;
  project(type_.shape, xi);
  double r[3], magnitude = 0;
  for (int d = 0; d < dim_; ++d) magnitude = std::max(magnitude, std::abs(point[d]));
  return std::sqrt(residual(xi, point, r)) <= 1e-10 * size() + 1e-14 * magnitude;
}

double CellMap::approach(const double* point, double* xi) const {
  std::ranges::copy(reference_nodes({type_.shape, 0}), xi);
  double r[3], J[3][3], step = 0;
  double square = residual(xi, point, r);
  for (int iteration = 0; iteration < 500; ++iteration) {
    jacobian(xi, J);
    double norm = 0, gradient[3] = {}, trial[3], found = 0;
    for (int d = 0; d < dim_; ++d)
      for (int e = 0; e < dim_; ++e) norm += J[d][e] * J[d][e], gradient[e] += J[d][e] * r[d];
    step = iteration == 0 ? 1 / norm : 2 * step;
    for (int halving = 0; halving < 30; ++halving, step *= 0.5) {
      for (int e = 0; e < dim_; ++e) trial[e] = xi[e] - step * gradient[e];
      project(type_.shape, trial);
      found = residual(trial, point, r);
      double decrease = 0;
      for (int e = 0; e < dim_; ++e) decrease += gradient[e] * (xi[e] - trial[e]);
      if (found <= square - 0.5 * decrease) break;
    }
    double moved = 0;
    for (int e = 0; e < dim_; ++e) moved = std::max(moved, std::abs(trial[e] - xi[e]));
    if (found > square) break;
    square = found;
    std::copy_n(trial, dim_, xi);
    if (moved < 1e-9) break;
  }
  return std::sqrt(square);
}

}  // namespace invar
