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

/// Shape functions of a cell at a place X in it, with derivatives by X, and by the places x of its nodes: since Σ N_a x_a = X, moving these by
/// ẋ acts on the functions as −Σ N_a ẋ_a on X does.
class ShapeValues {
 public:
  ShapeValues(const RestNumbers::PointInCell& cell, std::vector<RestVector> nodes, const RestVector& X)
      : cell_(cell), nodes_(std::move(nodes)), n_(node_count(cell.type)), dim_(dimension_of(cell.type.shape)), xi_(cell.xi) {
    constexpr int most_iterations = 50;
    for (int k = 0; k < most_iterations; ++k) {
      N_.assign(n_, 0.0);
      shape_values(cell.type, xi_.data(), N_.data());
      set_slopes();
      RestVector miss{}, step{};
      double size = 0;
      for (int i = 0; i < dim_; ++i) {
        miss[i] = X[i];
        for (int a = 0; a < n_; ++a) miss[i] -= N_[a] * nodes_[a][i];
      }
      for (int i = 0; i < dim_; ++i) {
        for (int j = 0; j < dim_; ++j) step[i] += inverse_[i][j] * miss[j];
        size = std::max(size, std::abs(step[i]));
        xi_[i] += step[i];
      }
      if (size < 1e-10) break;  // quadratic: the next step would be round-off
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
  /// Velocity of the place relative to the cell, when both move.
  RestVector relative(RestVector X_dot, const std::vector<RestVector>& nodes_dot) const {
    for (int a = 0; a < n_; ++a)
      for (int i = 0; i < dim_; ++i) X_dot[i] -= N_[a] * nodes_dot[a][i];
    return X_dot;
  }
  /// Rate of the value of a function.
  double rate(int a, const RestVector& relative) const {
    double sum = 0;
    for (int j = 0; j < dim_; ++j) sum += slope(a, j) * relative[j];
    return sum;
  }
  /// The rate of all slopes [n × dim].
  std::vector<double> slope_rates(const RestVector& relative, const std::vector<RestVector>& nodes_dot) const {
    RestVector xi_dot{};
    for (int d = 0; d < dim_; ++d)
      for (int j = 0; j < dim_; ++j) xi_dot[d] += inverse_[d][j] * relative[j];
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
        for (int d = 0; d < dim_; ++d) J_dot[i][d] += nodes_[a][i] * dN_dot[std::size_t(a) * dim_ + d] + nodes_dot[a][i] * dN_[std::size_t(a) * dim_ + d];
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
        for (int d = 0; d < dim_; ++d) J[i][d] += nodes_[a][i] * dN_[std::size_t(a) * dim_ + d];
    inverse_ = inverse_of(J, dim_);
  }

  const RestNumbers::PointInCell& cell_;
  std::vector<RestVector> nodes_;
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

/// Coordinates of the cell's nodes that are numbers v instead of `fixed`; rates have no fixed ones.
std::vector<RestVector> cell_nodes_of(const RestNumbers::PointInCell& p, const std::vector<double>& v, bool rates) {
  std::vector<RestVector> x = rates ? std::vector<RestVector>(p.nodes.size(), RestVector{}) : p.nodes;
  for (std::size_t a = 0; a < p.coordinates.size(); ++a)
    for (int i = 0; i < 3; ++i)
      if (p.coordinates[a][i] >= 0) x[a][i] = v[p.coordinates[a][i]];
  return x;
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
  const bool of_node = nodes.size() == 1 && nodes[0].second == 1;
  if (of_node)
    if (const auto known = of_nodes_.find({nodes[0].first, axis}); known != of_nodes_.end()) return known->second;
  const Mesh& mesh = equation_->dofs().mesh();
  if (own_.empty())
    for (int n = 0; n < mesh.n_owned_nodes; ++n) own_[mesh.original_node[n]] = n;
  for (const auto& [original, weight] : nodes)
    if (const auto here = own_.find(original); here != own_.end())
      coordinates_.push_back({size_, std::size_t(here->second) * mesh.dim + axis, weight});
  if (of_node) of_nodes_[{nodes[0].first, axis}] = size_;
  return size_++;
}

int RestNumbers::add_shape_values(PointInCell point) {
  const int first = size_;
  size_ += node_count(point.type);
  points_.push_back({std::move(point), first});
  return first;
}

int RestNumbers::add_weights(const RegionNodes& nodes) {
  const auto [known, is_new] = of_regions_.try_emplace({nodes.name, nodes.around_axis}, size_);
  if (!is_new) return known->second;
  const Mesh& mesh = equation_->dofs().mesh();
  const Region& region = *mesh.find_region(nodes.name);
  Measures& added = measures_.emplace_back(NodalMeasures(mesh, region, nodes.around_axis), mesh.node_total());
  for (const int node : region.nodes)
    added.numbers[node] = size_ + static_cast<int>(std::ranges::lower_bound(nodes.nodes, mesh.original_node[node], {}, &RegionNodes::Node::original) - nodes.nodes.begin());
  size_ += static_cast<int>(nodes.nodes.size());
  return known->second;
}

const std::vector<double>& RestNumbers::Measures::values(const std::vector<double>& x) const {
  if (at_ != x) values_ = of.values(at_ = x);
  return values_;
}

std::string RestNumbers::why_not(const Controls& d) const {
  if (points_.empty()) return "";
  const std::vector<double> v = gathered(d, nullptr, false);
  for (const Point& p : points_) {
    const RestVector X = point_coordinates(p, d);
    if (ShapeValues(p, cell_nodes_of(p, v, false), X).inside()) continue;
    std::string at;
    for (int i = 0; i < equation_->dofs().mesh().dim; ++i) at += (i ? ", " : "") + number_text(X[i]);
    return p.name + ", which is at (" + at + "), has left the cell in which it began";
  }
  return "";
}

/// Numbers that follow from coordinates and controls alone, or along a direction their rates: sums over ranks.
std::vector<double> RestNumbers::gathered(const Controls& d, const Controls* d_dot, bool with_measures) const {
  const Controls& of = d_dot ? *d_dot : d;
  std::vector<double> v(size_, 0.0);
  if (const int control = equation_->coordinates_control(); control >= 0) {
    if (!of[control].empty()) {
      for (const Entry& e : coordinates_) v[e.number] += e.weight * of[control][e.entry];
      for (const Measures& m : measures_) {
        if (!with_measures) break;
        const std::vector<double> shares = d_dot ? m.of.rates(d[control], of[control]) : m.values(d[control]);
        for (std::size_t node = 0; node < shares.size(); ++node)
          if (m.numbers[node] >= 0) v[m.numbers[node]] += shares[node];
      }
    }
    MPI_Allreduce(MPI_IN_PLACE, v.data(), size_, MPI_DOUBLE, MPI_SUM, equation_->comm());
  }
  for (const auto& [number, control] : controls_) v[number] = of[control].empty() ? 0.0 : of[control][0];
  return v;
}

std::vector<double> RestNumbers::evaluated(const Controls& d, const Controls* d_dot) const {
  std::vector<double> v = gathered(d, d_dot, true);
  if (points_.empty()) return v;
  const std::vector<double> at_present = d_dot ? gathered(d, nullptr, false) : v;
  for (const Point& p : points_) {
    const ShapeValues at(p, cell_nodes_of(p, at_present, false), point_coordinates(p, d));
    const RestVector relative = d_dot ? at.relative(point_rates(p, *d_dot), cell_nodes_of(p, v, true)) : RestVector{};
    for (std::size_t a = 0; a < p.nodes.size(); ++a) v[p.first + a] = d_dot ? at.rate(static_cast<int>(a), relative) : at.values()[a];
  }
  return v;
}

/// What numbers that follow from other ones, shape functions at points, pass on to those: bar [number] is changed.
void RestNumbers::add_by_points(const Controls& d, const Controls* d_dot, std::vector<double>& bar, Controls& d_bar) const {
  if (points_.empty()) return;
  const std::vector<double> v = gathered(d, nullptr, false), v_dot = d_dot ? gathered(d, d_dot, false) : std::vector<double>();
  const std::vector<double> of_values = bar;
  if (d_dot) std::ranges::fill(bar, 0.0);
  const int dim = equation_->dofs().mesh().dim;
  const bool counts = is_first_rank(equation_->comm());  // of numbers each rank has a share
  for (const Point& p : points_) {
    const ShapeValues at(p, cell_nodes_of(p, v, false), point_coordinates(p, d));
    const auto n = static_cast<int>(p.nodes.size());
    RestVector by_place{}, by_place_dot{}, relative{};
    std::vector<double> slope_rates;
    if (d_dot) {
      const std::vector<RestVector> nodes_dot = cell_nodes_of(p, v_dot, true);
      relative = at.relative(point_rates(p, *d_dot), nodes_dot);
      slope_rates = at.slope_rates(relative, nodes_dot);
    }
    for (int a = 0; a < n; ++a)
      for (int i = 0; i < dim; ++i) {
        by_place[i] += at.slope(a, i) * of_values[p.first + a];
        if (d_dot) by_place_dot[i] += slope_rates[std::size_t(a) * dim + i] * of_values[p.first + a];
      }
    const RestVector& of_place = d_dot ? by_place_dot : by_place;
    for (int i = 0; i < dim; ++i) {
      if (counts && p.controls[i] >= 0 && !d_bar[p.controls[i]].empty()) d_bar[p.controls[i]][0] += of_place[i];
      for (std::size_t b = 0; b < p.coordinates.size(); ++b) {
        double& of_node = bar[p.coordinates[b][i]];
        of_node -= at.values()[b] * of_place[i];
        if (d_dot) of_node -= at.rate(static_cast<int>(b), relative) * by_place[i];
      }
    }
  }
}

void RestNumbers::add_by_coordinates(const std::vector<double>& bar, Controls& d_bar) const {
  if (const int control = equation_->coordinates_control(); control >= 0 && !d_bar[control].empty())
    for (const Entry& e : coordinates_) d_bar[control][e.entry] += e.weight * bar[e.number];
}

/// Derivatives by measures at local nodes.
std::vector<double> RestNumbers::at_nodes(const Measures& m, const std::vector<double>& bar) {
  std::vector<double> all(m.numbers.size(), 0.0);
  for (std::size_t node = 0; node < all.size(); ++node)
    if (m.numbers[node] >= 0) all[node] = bar[m.numbers[node]];
  return all;
}

void RestNumbers::add_gradient(const Controls& d, const std::vector<double>& bar, Controls& d_bar) const {
  std::vector<double> of_all = bar;
  add_by_points(d, nullptr, of_all, d_bar);
  add_by_coordinates(of_all, d_bar);
  if (const int control = equation_->coordinates_control(); control >= 0 && !d_bar[control].empty())
    for (const Measures& m : measures_) m.of.add_gradient(d[control], at_nodes(m, bar), d_bar[control]);
  if (!is_first_rank(equation_->comm())) return;
  for (const auto& [number, control] : controls_)
    if (!d_bar[control].empty()) d_bar[control][0] += bar[number];
}

void RestNumbers::add_gradient_rate(const Controls& d, const Controls& d_dot, const std::vector<double>& bar, Controls& d_bar_dot) const {
  std::vector<double> of_all = bar;
  if (!points_.empty()) {
    add_by_points(d, &d_dot, of_all, d_bar_dot);
    add_by_coordinates(of_all, d_bar_dot);
  }
  if (const int control = equation_->coordinates_control(); control >= 0 && !d_bar_dot[control].empty() && !d_dot[control].empty())
    for (const Measures& m : measures_) m.of.add_gradient_rate(d[control], d_dot[control], at_nodes(m, bar), d_bar_dot[control]);
}

}  // namespace invar
