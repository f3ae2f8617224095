#include "libfem/space/nodal_measures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "libfem/math/dual_functions.hpp"
#include "libfem/space/reference_element.hpp"

namespace invar {
namespace {

using Moving = Dual<double, 1>;
constexpr int most_nodes = 27;  // of a cell

/// √det(JᵀJ) of J [dim × k], and its derivative by J.
template <class T>
struct Stretch {
  T value;
  T slope[9];

  Stretch(const T* J, int dim, int k) {
    T gram[3][3];
    for (int a = 0; a < k; ++a)
      for (int b = 0; b < k; ++b) {
        gram[a][b] = T(0.0);
        for (int d = 0; d < dim; ++d) gram[a][b] += J[d * k + a] * J[d * k + b];
      }
    T adjugate[3][3], det = gram[0][0];
    adjugate[0][0] = T(1.0);
    if (k == 2) {
      det = gram[0][0] * gram[1][1] - gram[0][1] * gram[1][0];
      adjugate[0][0] = gram[1][1], adjugate[1][1] = gram[0][0];
      adjugate[0][1] = -gram[0][1], adjugate[1][0] = -gram[1][0];
    } else if (k == 3) {
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          const int a1 = (a + 1) % 3, a2 = (a + 2) % 3, b1 = (b + 1) % 3, b2 = (b + 2) % 3;
          adjugate[b][a] = gram[a1][b1] * gram[a2][b2] - gram[a1][b2] * gram[a2][b1];
        }
      det = gram[0][0] * adjugate[0][0] + gram[0][1] * adjugate[1][0] + gram[0][2] * adjugate[2][0];
    }
    using std::sqrt;
    value = sqrt(det);
    for (int d = 0; d < dim; ++d)
      for (int e = 0; e < k; ++e) {
        T sum(0.0);
        for (int b = 0; b < k; ++b) sum += J[d * k + b] * adjugate[b][e];
        slope[d * k + e] = sum / value;  // value · J (JᵀJ)⁻¹
      }
  }
};

template <class T>
void jacobian_of(const double* dN, int n, int k, int dim, const T* x, T* J) {
  std::fill_n(J, dim * k, T(0.0));
  for (int a = 0; a < n; ++a)
    for (int d = 0; d < dim; ++d)
      for (int e = 0; e < k; ++e) J[d * k + e] += dN[a * k + e] * x[a * dim + d];
}

}  // namespace

NodalMeasures::NodalMeasures(const Mesh& mesh, const Region& region, bool around_axis) : dim_(mesh.dim), n_nodes_(mesh.node_total()), around_axis_(around_axis) {
  if (region.dim != mesh.dim && region.dim != mesh.dim - 1) return;
  const std::vector<CellBlock>& blocks = region.dim == mesh.dim ? mesh.cells : mesh.facets;
  for (std::size_t b = 0; b < blocks.size() && b < region.members.size(); ++b) {
    const CellType type = blocks[b].type;
    Block block{&blocks[b], &region.members[b], node_count(type), dimension_of(type.shape), quadrature(type.shape, 8), {}, {}};
    block.N.resize(std::size_t(block.rule.count()) * block.n);
    block.dN.resize(block.N.size() * block.k);
    for (int q = 0; q < block.rule.count(); ++q) {
      shape_values(type, &block.rule.points[std::size_t(q) * block.k], &block.N[std::size_t(q) * block.n]);
      shape_gradients(type, &block.rule.points[std::size_t(q) * block.k], &block.dN[std::size_t(q) * block.n * block.k]);
    }
    blocks_.push_back(std::move(block));
  }
}

/// Length of the circle through a quadrature point; 1 without an axis.
template <class T>
T NodalMeasures::circle(const Block& block, int q, const T* x) const {
  if (!around_axis_) return T(1.0);
  T radius(0.0);
  for (int a = 0; a < block.n; ++a) radius += block.N[q * block.n + a] * x[a * dim_];
  return 2 * std::numbers::pi * radius;
}

template <class T>
void NodalMeasures::integrate(const Block& block, const T* x, T* integral) const {
  std::fill_n(integral, block.n, T(0.0));
  for (int q = 0; q < block.rule.count(); ++q) {
    T J[9];
    jacobian_of(&block.dN[std::size_t(q) * block.n * block.k], block.n, block.k, dim_, x, J);
    const T weight = block.rule.weights[q] * Stretch<T>(J, dim_, block.k).value * circle(block, q, x);
    for (int a = 0; a < block.n; ++a) integral[a] += block.N[q * block.n + a] * weight;
  }
}

template <class T>
void NodalMeasures::differentiate(const Block& block, const T* x, const double* bar, T* x_bar) const {
  std::fill_n(x_bar, block.n * dim_, T(0.0));
  for (int q = 0; q < block.rule.count(); ++q) {
    const double *N = &block.N[std::size_t(q) * block.n], *dN = &block.dN[std::size_t(q) * block.n * block.k];
    T J[9];
    jacobian_of(dN, block.n, block.k, dim_, x, J);
    const Stretch<T> stretch(J, dim_, block.k);
    double b = 0;
    for (int a = 0; a < block.n; ++a) b += block.rule.weights[q] * N[a] * bar[a];
    const T by_stretch = b * circle(block, q, x);
    for (int a = 0; a < block.n; ++a) {
      for (int d = 0; d < dim_; ++d)
        for (int e = 0; e < block.k; ++e) x_bar[a * dim_ + d] += dN[a * block.k + e] * (by_stretch * stretch.slope[d * block.k + e]);
      if (around_axis_) x_bar[a * dim_] += (2 * std::numbers::pi * b * N[a]) * stretch.value;
    }
  }
}

std::vector<double> NodalMeasures::values(const std::vector<double>& x) const {
  std::vector<double> all(n_nodes_, 0.0);
  double at[3 * most_nodes], integral[most_nodes];
  for (const Block& block : blocks_)
    for (const int cell : *block.members) {
      if (cell >= block.cells->n_owned) continue;  // counted on another rank
      const int* nodes = &block.cells->nodes[std::size_t(cell) * block.n];
      for (int a = 0; a < block.n; ++a) std::copy_n(&x[std::size_t(nodes[a]) * dim_], dim_, &at[a * dim_]);
      integrate(block, at, integral);
      for (int a = 0; a < block.n; ++a) all[nodes[a]] += integral[a];
    }
  return all;
}

namespace {

/// Coordinates of a cell's nodes with their rates.
void gather_moving(const int* nodes, int n, int dim, const std::vector<double>& x, const std::vector<double>& x_dot, Moving* at) {
  for (int a = 0; a < n; ++a)
    for (int d = 0; d < dim; ++d) {
      at[a * dim + d] = Moving(x[std::size_t(nodes[a]) * dim + d]);
      at[a * dim + d].grad[0] = x_dot[std::size_t(nodes[a]) * dim + d];
    }
}

}  // namespace

std::vector<double> NodalMeasures::rates(const std::vector<double>& x, const std::vector<double>& x_dot) const {
  std::vector<double> all(n_nodes_, 0.0);
  Moving at[3 * most_nodes], integral[most_nodes];
  for (const Block& block : blocks_)
    for (const int cell : *block.members) {
      if (cell >= block.cells->n_owned) continue;
      const int* nodes = &block.cells->nodes[std::size_t(cell) * block.n];
      gather_moving(nodes, block.n, dim_, x, x_dot, at);
      integrate(block, at, integral);
      for (int a = 0; a < block.n; ++a) all[nodes[a]] += integral[a].grad[0];
    }
  return all;
}

void NodalMeasures::add_gradient(const std::vector<double>& x, const std::vector<double>& bar, std::vector<double>& x_bar) const {
  double at[3 * most_nodes], by_x[3 * most_nodes], of_nodes[most_nodes];
  for (const Block& block : blocks_)
    for (const int cell : *block.members) {
      const int* nodes = &block.cells->nodes[std::size_t(cell) * block.n];
      for (int a = 0; a < block.n; ++a) {
        std::copy_n(&x[std::size_t(nodes[a]) * dim_], dim_, &at[a * dim_]);
        of_nodes[a] = bar[nodes[a]];
      }
      differentiate(block, at, of_nodes, by_x);
      for (int a = 0; a < block.n; ++a)
        for (int d = 0; d < dim_; ++d) x_bar[std::size_t(nodes[a]) * dim_ + d] += by_x[a * dim_ + d];
    }
}

void NodalMeasures::add_gradient_rate(const std::vector<double>& x, const std::vector<double>& x_dot, const std::vector<double>& bar, std::vector<double>& x_bar_dot) const {
  Moving at[3 * most_nodes], by_x[3 * most_nodes];
  double of_nodes[most_nodes];
  for (const Block& block : blocks_)
    for (const int cell : *block.members) {
      const int* nodes = &block.cells->nodes[std::size_t(cell) * block.n];
      gather_moving(nodes, block.n, dim_, x, x_dot, at);
      for (int a = 0; a < block.n; ++a) of_nodes[a] = bar[nodes[a]];
      differentiate(block, at, of_nodes, by_x);
      for (int a = 0; a < block.n; ++a)
        for (int d = 0; d < dim_; ++d) x_bar_dot[std::size_t(nodes[a]) * dim_ + d] += by_x[a * dim_ + d].grad[0];
    }
}

}  // namespace invar
