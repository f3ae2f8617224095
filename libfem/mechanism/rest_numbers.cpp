#include "libfem/mechanism/rest_numbers.hpp"

#include <algorithm>
#include <cmath>

#include "libadjoint/number_text.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

using RestVector = std::array<double, 3>;
using RestMatrix = std::array<RestVector, 3>;

RestMatrix times(const RestMatrix& a, const RestMatrix& b, int n) {
  RestMatrix c{};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}

RestMatrix inverse_of(const RestMatrix& a, int n) {
  RestMatrix b{};
  if (n == 2) {
    const double det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    b[0] = {a[1][1] / det, -a[0][1] / det, 0};
    b[1] = {-a[1][0] / det, a[0][0] / det, 0};
    return b;
  }
  double det = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      b[j][i] = a[i1][j1] * a[i2][j2] - a[i1][j2] * a[i2][j1];
      if (i == 0) det += a[0][j] * b[j][0];
    }
  for (auto& row : b)
    for (double& v : row) v /= det;
  return b;
}

/// Shape functions of a cell at a place X in it, with derivatives by X.
class ShapeValues {
 public:
  ShapeValues(const RestNumbers::PointInCell& cell, const RestVector& X)
      : cell_(cell), n_(node_count(cell.type)), dim_(dimension_of(cell.type.shape)), xi_(cell.xi) {
    constexpr int most_iterations = 50;
    for (int k = 0; k < most_iterations; ++k) {
      N_.assign(n_, 0.0);
      shape_values(cell.type, xi_.data(), N_.data());
      set_slopes();
      RestVector miss{}, step{};
      double size = 0;
      for (int i = 0; i < dim_; ++i) {
        miss[i] = X[i];
        for (int a = 0; a < n_; ++a) miss[i] -= N_[a] * cell.nodes[a][i];
      }
      for (int i = 0; i < dim_; ++i) {
        for (int j = 0; j < dim_; ++j) step[i] += inverse_[i][j] * miss[j];
        size = std::max(size, std::abs(step[i]));
        xi_[i] += step[i];
      }
      if (size < 1e-14) break;
      converged_ = k + 1 < most_iterations && std::isfinite(size);
    }
    N_.assign(n_, 0.0);
    shape_values(cell.type, xi_.data(), N_.data());
    set_slopes();
  }

  const std::vector<double>& values() const { return N_; }
  /// ∂N_a/∂X_j
  double slope(int a, int j) const {
    double sum = 0;
    for (int d = 0; d < dim_; ++d) sum += dN_[std::size_t(a) * dim_ + d] * inverse_[d][j];
    return sum;
  }
  /// The rate of all slopes [n × dim] when X moves.
  std::vector<double> slope_rates(const RestVector& X_dot) const {
    RestVector xi_dot{};
    for (int d = 0; d < dim_; ++d)
      for (int j = 0; j < dim_; ++j) xi_dot[d] += inverse_[d][j] * X_dot[j];
    // Along each axis the slopes are polynomials of second order at most, of which central differences are exact.
    std::vector<double> dN_dot(dN_.size(), 0.0), ahead(dN_.size()), behind(dN_.size());
    constexpr double half = 0.5;
    for (int d = 0; d < dim_; ++d) {
      RestVector to = xi_, from = xi_;
      to[d] += half, from[d] -= half;
      shape_gradients(cell_.type, to.data(), ahead.data());
      shape_gradients(cell_.type, from.data(), behind.data());
      for (std::size_t i = 0; i < dN_.size(); ++i) dN_dot[i] += xi_dot[d] * (ahead[i] - behind[i]);
    }
    RestMatrix J_dot{};
    for (int a = 0; a < n_; ++a)
      for (int i = 0; i < dim_; ++i)
        for (int d = 0; d < dim_; ++d) J_dot[i][d] += cell_.nodes[a][i] * dN_dot[std::size_t(a) * dim_ + d];
    const RestMatrix inverse_dot = times(inverse_, times(J_dot, inverse_, dim_), dim_);  // with the opposite sign
    std::vector<double> rates(dN_.size(), 0.0);
    for (int a = 0; a < n_; ++a)
      for (int j = 0; j < dim_; ++j)
        for (int d = 0; d < dim_; ++d)
          rates[std::size_t(a) * dim_ + j] += dN_dot[std::size_t(a) * dim_ + d] * inverse_[d][j] - dN_[std::size_t(a) * dim_ + d] * inverse_dot[d][j];
    return rates;
  }
  bool inside() const {
    constexpr double tolerance = 1e-6;  // of the reference cell
    double sum = 0;
    bool within = converged_;
    const bool tensor = cell_.type.shape == Shape::quadrilateral || cell_.type.shape == Shape::hexahedron;
    for (int d = 0; d < dim_; ++d) {
      within = within && xi_[d] >= -tolerance && (!tensor || xi_[d] <= 1 + tolerance);
      sum += xi_[d];
    }
    return within && (tensor || sum <= 1 + tolerance);
  }

 private:
  void set_slopes() {
    dN_.assign(std::size_t(n_) * dim_, 0.0);
    shape_gradients(cell_.type, xi_.data(), dN_.data());
    RestMatrix J{};
    for (int a = 0; a < n_; ++a)
      for (int i = 0; i < dim_; ++i)
        for (int d = 0; d < dim_; ++d) J[i][d] += cell_.nodes[a][i] * dN_[std::size_t(a) * dim_ + d];
    inverse_ = inverse_of(J, dim_);
  }

  const RestNumbers::PointInCell& cell_;
  int n_, dim_;
  RestVector xi_;
  std::vector<double> N_, dN_;
  RestMatrix inverse_{};  // of ∂X/∂ξ
  bool converged_ = true;
};

/// A point's coordinates, or along a direction their rates.
RestVector point_coordinates(const RestNumbers::PointInCell& p, const Controls& d) {
  RestVector X = p.start;
  for (int i = 0; i < 3; ++i)
    if (p.controls[i] >= 0) X[i] = d[p.controls[i]][0];
  return X;
}
RestVector point_rates(const RestNumbers::PointInCell& p, const Controls& d_dot) {
  RestVector X{};
  for (int i = 0; i < 3; ++i)
    if (p.controls[i] >= 0 && !d_dot[p.controls[i]].empty()) X[i] = d_dot[p.controls[i]][0];
  return X;
}

bool is_first_rank(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank == 0;
}

}  // namespace

int RestNumbers::add_control(int control) {
  controls_.push_back({size_, control});
  return size_++;
}

int RestNumbers::add_coordinate(const std::vector<std::pair<long long, double>>& nodes, int axis) {
  const Mesh& mesh = equation_->dofs().mesh();
  if (own_.empty())
    for (int n = 0; n < mesh.n_owned_nodes; ++n) own_[mesh.original_node[n]] = n;
  for (const auto& [original, weight] : nodes)
    if (const auto here = own_.find(original); here != own_.end())
      coordinates_.push_back({size_, std::size_t(here->second) * mesh.dim + axis, weight});
  return size_++;
}

int RestNumbers::add_shape_values(PointInCell point) {
  const int first = size_;
  size_ += node_count(point.type);
  points_.push_back({std::move(point), first});
  return first;
}

std::string RestNumbers::why_not(const Controls& d) const {
  for (const Point& p : points_) {
    const RestVector X = point_coordinates(p, d);
    if (ShapeValues(p, X).inside()) continue;
    std::string at;
    for (int i = 0; i < equation_->dofs().mesh().dim; ++i) at += (i ? ", " : "") + number_text(X[i]);
    return p.name + ", which is at (" + at + "), has left the cell in which it began";
  }
  return "";
}

std::vector<double> RestNumbers::evaluated(const Controls& d, const Controls* d_dot) const {
  const Controls& of = d_dot ? *d_dot : d;
  std::vector<double> v(size_, 0.0);
  if (const int control = equation_->coordinates_control(); control >= 0 && !of[control].empty())
    for (const Entry& e : coordinates_) v[e.number] += e.weight * of[control][e.entry];
  if (follow_shape()) MPI_Allreduce(MPI_IN_PLACE, v.data(), size_, MPI_DOUBLE, MPI_SUM, equation_->comm());
  for (const auto& [number, control] : controls_) v[number] = of[control].empty() ? 0.0 : of[control][0];
  for (const Point& p : points_) {
    const ShapeValues at(p, point_coordinates(p, d));
    const RestVector X_dot = d_dot ? point_rates(p, *d_dot) : RestVector{};
    for (std::size_t a = 0; a < p.nodes.size(); ++a) {
      v[p.first + a] = d_dot ? 0.0 : at.values()[a];
      for (int i = 0; i < 3 && d_dot; ++i)
        if (X_dot[i] != 0) v[p.first + a] += at.slope(static_cast<int>(a), i) * X_dot[i];
    }
  }
  return v;
}

void RestNumbers::add_gradient(const Controls& d, const std::vector<double>& bar, Controls& d_bar) const {
  if (const int control = equation_->coordinates_control(); control >= 0 && !d_bar[control].empty())
    for (const Entry& e : coordinates_) d_bar[control][e.entry] += e.weight * bar[e.number];
  if (!is_first_rank(equation_->comm())) return;  // of numbers each rank has a share
  for (const auto& [number, control] : controls_)
    if (!d_bar[control].empty()) d_bar[control][0] += bar[number];
  for (const Point& p : points_) {
    const ShapeValues at(p, point_coordinates(p, d));
    for (int i = 0; i < 3; ++i)
      if (p.controls[i] >= 0 && !d_bar[p.controls[i]].empty())
        for (std::size_t a = 0; a < p.nodes.size(); ++a) d_bar[p.controls[i]][0] += at.slope(static_cast<int>(a), i) * bar[p.first + a];
  }
}

void RestNumbers::add_gradient_rate(const Controls& d, const Controls& d_dot, const std::vector<double>& bar, Controls& d_bar_dot) const {
  if (!is_first_rank(equation_->comm())) return;
  const int dim = equation_->dofs().mesh().dim;
  for (const Point& p : points_) {
    const std::vector<double> rates = ShapeValues(p, point_coordinates(p, d)).slope_rates(point_rates(p, d_dot));
    for (int i = 0; i < dim; ++i)
      if (p.controls[i] >= 0 && !d_bar_dot[p.controls[i]].empty())
        for (std::size_t a = 0; a < p.nodes.size(); ++a) d_bar_dot[p.controls[i]][0] += rates[a * dim + i] * bar[p.first + a];
  }
}

}  // namespace invar
