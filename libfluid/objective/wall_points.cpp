#include "libfluid/objective/wall_points.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "libfem/form/local_access.hpp"
#include "libfem/math/dual.hpp"
#include "libfem/math/dual_functions.hpp"
#include "libfem/mesh/facet_parents.hpp"
#include "libfem/space/quadrature.hpp"
#include "libfem/space/reference_element.hpp"
#include "libfluid/objective/wall_shear.hpp"

namespace invar {

WallPoints::WallPoints(std::shared_ptr<FormResidual> residual, FlowKind kind, const std::string& name) : residual_(std::move(residual)) {
  const DofMap& dofs = residual_->dofs();
  const Mesh& mesh = dofs.mesh();
  if (mesh.dim != 2) throw std::invalid_argument("walls in space have no direction along which shear has a sign");
  const int degree = wall_degree(dofs);
  const std::vector<double> rest(dofs.n_local(), 0.0);
  const std::vector<WallSample> samples = wall_samples(dofs, rest.data(), mesh.coordinates.data(), kind, name, degree);
  std::map<std::pair<std::array<long long, 2>, double>, int> number;
  std::vector<double> turn;
  for (const WallPlace& place : order_along(samples)) {
    const WallSample& s = samples[place.sample];
    number[{s.ends, s.along}] = count();
    pieces_.push_back(place.piece);
    turn.push_back(place.turn);
  }
  const NodeCells incidence(mesh);
  const Region& region = *mesh.find_region(name);
  for (std::size_t b = 0; b < mesh.facets.size(); ++b) {
    const CellBlock& facets = mesh.facets[b];
    const int n = node_count(facets.type);
    const Quadrature rule = quadrature(facets.type.shape, degree);
    for (const int f : region.members[b]) {
      const int* nodes = &facets.nodes[std::size_t(f) * n];
      const FacetParent parent = find_parent(mesh, incidence, facets.type.shape, {nodes, std::size_t(n)});
      if (parent.cell < 0) continue;
      const CellType type = mesh.cells[parent.block].type;
      const auto of_cell = incidence.nodes_of(incidence.first_cell(parent.block) + parent.cell);
      Point p;
      p.counts = f < facets.n_owned;
      p.outward = parent.outward ? 1 : -1;
      p.nodes.assign(of_cell.begin(), of_cell.end());
      for (int a = 0; a < n; ++a) p.facet.push_back(static_cast<int>(std::ranges::find(p.nodes, nodes[a]) - p.nodes.begin()));
      const std::vector<double> reference = reference_nodes(type);
      const CellType velocity{type.shape, dofs.orders()[0]};
      for (int q = 0; q < rule.count(); ++q) {
        const double xi = rule.points[q];
        double in_cell[2];
        for (int i = 0; i < 2; ++i) in_cell[i] = (1 - xi) * reference[p.facet[0] * 2 + i] + xi * reference[p.facet[1] * 2 + i];
        p.N.resize(p.nodes.size()), p.dN.resize(2 * p.nodes.size()), p.slopes.resize(2 * std::size_t(node_count(velocity))), p.along.resize(n);
        shape_values(type, in_cell, p.N.data());
        shape_gradients(type, in_cell, p.dN.data());
        shape_gradients(velocity, in_cell, p.slopes.data());
        shape_gradients(facets.type, &xi, p.along.data());
        p.number = number.at({{mesh.original_node[nodes[0]], mesh.original_node[nodes[1]]}, xi});
        p.turn = turn[p.number];
        points_.push_back(p);
      }
    }
  }
}

template <class T>
std::array<T, 3> WallPoints::at(const Point& p, const T* inputs) {
  const T *u = inputs, *X = inputs + 2 * p.velocity_nodes();
  std::array<T, 2> x{T(0.0), T(0.0)}, tangent = x;
  T J[2][2], L[2][2];  // ∂x_i/∂ξ_m, ∂u_i/∂ξ_m
  for (int i = 0; i < 2; ++i) {
    for (int m = 0; m < 2; ++m) J[i][m] = L[i][m] = T(0.0);
    for (std::size_t a = 0; a < p.nodes.size(); ++a) {
      x[i] += p.N[a] * X[2 * a + i];
      for (int m = 0; m < 2; ++m) J[i][m] += p.dN[2 * a + m] * X[2 * a + i];
    }
    for (int a = 0; a < p.velocity_nodes(); ++a)
      for (int m = 0; m < 2; ++m) L[i][m] += p.slopes[2 * a + m] * u[2 * a + i];
    for (std::size_t a = 0; a < p.facet.size(); ++a) tangent[i] += p.along[a] * X[2 * p.facet[a] + i];
  }
  const T det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
  T G[2][2];  // ∂u_i/∂x_j
  for (int i = 0; i < 2; ++i) {
    G[i][0] = (L[i][0] * J[1][1] - L[i][1] * J[1][0]) / det;
    G[i][1] = (L[i][1] * J[0][0] - L[i][0] * J[0][1]) / det;
  }
  const T length = sqrt(tangent[0] * tangent[0] + tangent[1] * tangent[1]);
  const std::array<T, 2> n{p.outward * tangent[1] / length, -p.outward * tangent[0] / length};
  const std::array<T, 2> t{-p.turn * n[1], p.turn * n[0]};
  T rate(0.0);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) rate -= t[i] * (G[i][j] + G[j][i]) * n[j];
  return {x[0], x[1], rate};
}

std::vector<double> WallPoints::inputs(const Point& p, const double* unknown, const double* places) const {
  std::vector<double> z;
  for (int a = 0; a < p.velocity_nodes(); ++a)
    for (int i = 0; i < 2; ++i) z.push_back(unknown ? unknown[residual_->dofs().dof(p.nodes[a], i)] : 0.0);
  for (const int node : p.nodes)
    for (int i = 0; i < 2; ++i) z.push_back(places ? places[std::size_t(node) * 2 + i] : 0.0);
  return z;
}

template <class Value>
void WallPoints::add(const Point& p, Value value, double* unknown, double* places) const {
  int input = 0;
  for (int a = 0; a < p.velocity_nodes(); ++a)
    for (int i = 0; i < 2; ++i, ++input)
      if (unknown) unknown[residual_->dofs().dof(p.nodes[a], i)] += value(input);
  for (const int node : p.nodes)
    for (int i = 0; i < 2; ++i, ++input)
      if (places && node < residual_->dofs().mesh().n_owned_nodes) places[std::size_t(node) * 2 + i] += value(input);
}

// ---- values, then forward, then reverse, then second order ---------------------------------------------

void WallPoints::evaluate(const EvaluationPoint& u, double* y) {
  std::fill(y, y + size(), 0.0);
  const LocalArray local(u);
  for (const Point& p : points_) {
    if (!p.counts) continue;
    const std::array<double, 3> value = at(p, inputs(p, local.data(), residual_->coordinates(u.given).data()).data());
    std::ranges::copy(value, y + 3 * p.number);
  }
  MPI_Allreduce(MPI_IN_PLACE, y, size(), MPI_DOUBLE, MPI_SUM, residual_->comm());
}

void WallPoints::jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) {
  std::fill(y_dot, y_dot + size(), 0.0);
  const LocalArray local(u);
  const OptionalLocal direction(u_dot.levels[Level::value]);
  for (const Point& p : points_) {
    if (!p.counts) continue;
    const std::vector<double> z = inputs(p, local.data(), residual_->coordinates(u.given).data());
    const std::vector<double> z_dot = inputs(p, direction.data(), residual_->coordinate_direction(d_dot));
    std::vector<Dual<double, 1>> moved(z.begin(), z.end());
    for (std::size_t k = 0; k < z.size(); ++k) moved[k].grad[0] = z_dot[k];
    const auto value = at(p, moved.data());
    for (int i = 0; i < 3; ++i) y_dot[3 * p.number + i] = value[i].grad[0];
  }
  MPI_Allreduce(MPI_IN_PLACE, y_dot, size(), MPI_DOUBLE, MPI_SUM, residual_->comm());
}

void WallPoints::vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) {
  const LocalArray local(u);
  Accumulator unknown(residual_->dofs(), u_bar.levels[Level::value]);
  double* places = residual_->coordinate_target(d_bar);
  for (const Point& p : points_) {
    const double* w = y_bar + 3 * p.number;
    if (std::all_of(w, w + 3, [](double v) { return v == 0; })) continue;
    const std::vector<double> z = inputs(p, local.data(), residual_->coordinates(u.given).data());
    std::vector<Dual<double, 1>> moved(z.begin(), z.end());
    const auto value = [&](int input) {
      moved[input].grad[0] = 1;
      const auto slope = at(p, moved.data());
      moved[input].grad[0] = 0;
      return w[0] * slope[0].grad[0] + w[1] * slope[1].grad[0] + w[2] * slope[2].grad[0];
    };
    add(p, value, unknown.data(), places);
  }
  unknown.flush();
}

void WallPoints::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                             const State& u_bar_dot, Controls* d_bar_dot) {
  using Along = Dual<double, 1>;
  const LocalArray local(u);
  const OptionalLocal direction(u_dot.levels[Level::value]);
  Accumulator unknown(residual_->dofs(), u_bar_dot.levels[Level::value]);
  double* places = residual_->coordinate_target(d_bar_dot);
  for (const Point& p : points_) {
    const double *w = y_bar + 3 * p.number, *w_dot = y_bar_dot ? y_bar_dot + 3 * p.number : nullptr;
    const auto none = [](const double* v) { return !v || std::all_of(v, v + 3, [](double x) { return x == 0; }); };
    if (none(w) && none(w_dot)) continue;
    const std::vector<double> z = inputs(p, local.data(), residual_->coordinates(u.given).data());
    const std::vector<double> z_dot = inputs(p, direction.data(), residual_->coordinate_direction(d_dot));
    std::vector<Dual<Along, 1>> moved(z.begin(), z.end());
    for (std::size_t k = 0; k < z.size(); ++k) moved[k].value.grad[0] = z_dot[k];
    const auto value = [&](int input) {
      moved[input].grad[0] = Along(1.0);
      const auto slope = at(p, moved.data());
      moved[input].grad[0] = Along(0.0);
      double sum = 0;
      for (int i = 0; i < 3; ++i) sum += w[i] * slope[i].grad[0].grad[0] + (w_dot ? w_dot[i] * slope[i].grad[0].value : 0.0);
      return sum;
    };
    add(p, value, unknown.data(), places);
  }
  unknown.flush();
}

}  // namespace invar
