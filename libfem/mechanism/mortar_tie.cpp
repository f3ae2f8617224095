#include "libfem/mechanism/mortar_tie.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>

#include "libadjoint/solve/scientific.hpp"
#include "libfem/mechanism/seam_rule.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

constexpr double tied_gap = 1e-3;     // largest gap between tied surfaces, relative to the extent of the tied one
constexpr double negligible = 1e-10;  // weights of nodes, relative to the largest

/// Row of a node of the tied side: its weight, and the weights of nodes of the other side.
struct MortarRow {
  double own = 0;
  std::map<int, double> other;
};

std::optional<std::string> too_far(double distance, double extent) {
  if (distance <= tied_gap * extent) return std::nullopt;
  return "they are " + short_number(distance, 3) + " m apart";
}

std::optional<std::string> mortar_rows(const RegionNodes& side, const RegionNodes& other, bool around_axis, std::vector<MortarRow>& rows) {
  const SeamRule rule(side, other);
  const double extent = side.extent();
  rows.assign(side.nodes.size(), {});
  for (const RegionNodes::Facet& facet : side.facets) {
    const int n = static_cast<int>(facet.nodes.size());
    Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd lumped = Eigen::VectorXd::Zero(n);
    std::vector<std::map<int, double>> integral(n);  // ∫ N_a N_other
    Eigen::VectorXd N(n);
    for (const SeamPoint& point : rule.on(facet)) {
      if (const auto wrong = too_far(point.opposite.distance, extent)) return wrong;
      shape_values(facet.type, point.xi.data(), N.data());
      double w = point.weight, radius = 0;
      for (int a = 0; a < n; ++a) radius += N[a] * side.nodes[facet.nodes[a]].x[0];
      if (around_axis) w *= radius;
      mass += w * N * N.transpose();
      lumped += w * N;
      for (int a = 0; a < n; ++a)
        for (const auto& [node, value] : point.opposite.nodes) integral[a][node] += w * N[a] * value;
    }
    // A node on the axis has no share of a constant stress with second-order functions, and any weight in its only facet.
    for (int a = 0; a < n; ++a)
      if (around_axis && side.nodes[facet.nodes[a]].x[0] <= negligible * extent) lumped[a] = lumped.sum();
    if (lumped.minCoeff() <= 1e-6 * lumped.sum())
      return "shape functions of the tied side have no positive mean, as on second-order triangles: use 'collocation', or first order";
    const Eigen::MatrixXd dual = lumped.asDiagonal() * mass.inverse();  // ψ = dual N
    for (int a = 0; a < n; ++a) {
      rows[facet.nodes[a]].own += lumped[a];
      for (int b = 0; b < n; ++b)
        for (const auto& [node, value] : integral[b]) rows[facet.nodes[a]].other[node] += dual(a, b) * value;
    }
  }
  return std::nullopt;
}

std::optional<std::string> collocated_rows(const RegionNodes& side, const RegionNodes& other, std::vector<MortarRow>& rows) {
  const NearestOnSurface nearest(other);
  const double extent = side.extent();
  rows.assign(side.nodes.size(), {});
  for (std::size_t a = 0; a < side.nodes.size(); ++a) {
    const OppositePoint there = nearest.find(side.nodes[a].x);
    if (const auto wrong = too_far(there.distance, extent)) return wrong;
    rows[a].own = 1;
    for (const auto& [node, value] : there.nodes) rows[a].other[node] += value;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> tie_surfaces(const RegionNodes& side, const RegionNodes& other, const std::vector<int>& components, SurfaceTie how,
                                        bool around_axis, int source, std::vector<LinearConstraint>& out) {
  std::vector<MortarRow> rows;
  if (const auto wrong = how == SurfaceTie::mortar ? mortar_rows(side, other, around_axis, rows) : collocated_rows(side, other, rows)) return wrong;
  for (const int c : components)
    for (std::size_t a = 0; a < rows.size(); ++a) {
      const PetscInt dof = side.nodes[a].dofs[c];
      if (dof < 0) continue;
      LinearConstraint row{.terms = {{dof, 1.0}}, .follower = dof, .source = source, .keeps_positions = true};
      for (const auto& [node, value] : rows[a].other) {
        if (std::abs(value) <= negligible * rows[a].own) continue;
        if (other.nodes[node].dofs[c] < 0) return "their components are of different order";
        row.terms.push_back({other.nodes[node].dofs[c], -value / rows[a].own});
      }
      out.push_back(std::move(row));
    }
  return std::nullopt;
}

}  // namespace invar
