#include "libfem/space/cell_reciprocal.hpp"

#include <numeric>
#include <span>

#include "libfem/mesh/reference_element.hpp"
#include "libfem/space/quadrature.hpp"

namespace invar {
namespace {

double interpolated(const double* v, std::span<const int> nodes, const double* N) {
  double sum = 0;
  for (std::size_t a = 0; a < nodes.size(); ++a) sum += N[a] * v[nodes[a]];
  return sum;
}

/// NaN stays NaN.
double reciprocal(double v) { return v == 0 ? 0.0 : 1 / v; }

}  // namespace

CellReciprocal::CellReciprocal(std::shared_ptr<const Mesh> mesh) : mesh_(std::move(mesh)) {
  for (const CellBlock& block : mesh_->cells) {
    const Shape shape = block.type.shape;
    const bool simplex = shape == Shape::triangle || shape == Shape::tetrahedron;
    const Quadrature rule = quadrature(shape, simplex ? 2 : 3);
    const int n = node_count(block.type);
    Points& p = points_.emplace_back(Points{rule.weights, std::vector<double>(std::size_t(rule.count()) * n)});
    const double measure = std::accumulate(p.weights.begin(), p.weights.end(), 0.0);
    for (double& w : p.weights) w /= measure;
    for (int q = 0; q < rule.count(); ++q) shape_values(block.type, &rule.points[std::size_t(q) * mesh_->dim], &p.N[std::size_t(q) * n]);
    for (int e = 0; e < block.count(); ++e) first_.push_back(first_.back() + n);
  }
}

template <class Visit>
void CellReciprocal::visit_points(bool owned, Visit&& visit) const {
  std::size_t first = 0;
  for (std::size_t b = 0; b < points_.size(); ++b) {
    const CellBlock& block = mesh_->cells[b];
    const std::size_t n = node_count(block.type);
    for (int e = 0; e < (owned ? block.n_owned : block.count()); ++e)
      for (std::size_t q = 0; q < points_[b].weights.size(); ++q)
        visit(first + e, std::span(&block.nodes[e * n], n), &points_[b].N[q * n], points_[b].weights[q]);
    first += block.count();
  }
}

std::vector<double> CellReciprocal::means(const double* v) const {
  std::vector<double> mean(first_.size() - 1, 0.0);
  visit_points(false, [&](std::size_t cell, std::span<const int> nodes, const double* N, double weight) {
    mean[cell] += weight * reciprocal(interpolated(v, nodes, N));
  });
  return mean;
}

std::vector<double> CellReciprocal::slopes(const double* v) const {
  std::vector<double> slope(first_.back(), 0.0);
  visit_points(false, [&](std::size_t cell, std::span<const int> nodes, const double* N, double weight) {
    const double r = reciprocal(interpolated(v, nodes, N));
    for (std::size_t a = 0; a < nodes.size(); ++a) slope[first_[cell] + a] -= weight * r * r * N[a];
  });
  return slope;
}

template <class Visit>
void CellReciprocal::visit_slopes(bool owned, const double* v, Visit&& visit) const {
  const std::vector<double> slope = slopes(v);
  std::size_t cell = 0;
  for (const CellBlock& block : mesh_->cells) {
    const int n = node_count(block.type);
    for (int e = 0; e < block.count(); ++e, ++cell)
      for (int a = 0; a < n && (!owned || e < block.n_owned); ++a) visit(cell, block.nodes[std::size_t(e) * n + a], slope[first_[cell] + a]);
  }
}

std::vector<double> CellReciprocal::jvp(const double* v, const double* v_dot) const {
  std::vector<double> mean_dot(first_.size() - 1, 0.0);
  visit_slopes(false, v, [&](std::size_t cell, int node, double slope) { mean_dot[cell] += slope * v_dot[node]; });
  return mean_dot;
}

std::vector<double> CellReciprocal::vjp(const double* v, const double* mean_bar) const {
  std::vector<double> v_bar(mesh_->node_total(), 0.0);
  visit_slopes(true, v, [&](std::size_t cell, int node, double slope) { v_bar[node] += slope * mean_bar[cell]; });
  return v_bar;
}

std::vector<double> CellReciprocal::vjp_tangent(const double* v, const double* v_dot, const double* mean_bar, const double* mean_bar_dot) const {
  std::vector<double> v_bar_dot(mesh_->node_total(), 0.0);
  visit_points(true, [&](std::size_t cell, std::span<const int> nodes, const double* N, double weight) {
    const double r = reciprocal(interpolated(v, nodes, N)), rate = interpolated(v_dot, nodes, N);
    const double bar_dot = -weight * r * r * (mean_bar_dot[cell] - 2 * r * rate * mean_bar[cell]);
    for (std::size_t a = 0; a < nodes.size(); ++a) v_bar_dot[nodes[a]] += N[a] * bar_dot;
  });
  return v_bar_dot;
}

}  // namespace invar
