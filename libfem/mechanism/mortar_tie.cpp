#include "libfem/mechanism/mortar_tie.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>

#include "libadjoint/solve/scientific.hpp"
#include "libfem/mesh/nearest_on_facet.hpp"
#include "libfem/mesh/reference_element.hpp"
#include "libfem/space/quadrature.hpp"

namespace invar {
namespace {

constexpr double tied_gap = 1e-3;       // largest gap between tied surfaces, relative to the extent of the tied one
constexpr int mortar_pieces = 4;          // per edge of a facet in 3-D
constexpr int mortar_degree = 4;          // quadrature degree on each piece
constexpr double coincident = 1e-10;     // tolerance of equal reference coordinates

using Position = std::array<double, 3>;

/// A point on a surface: values of shape functions at nodes of the region.
struct MortarPoint {
  std::vector<std::pair<int, double>> nodes;
  double distance = 0;
};

/// Finds the point of a surface nearest to a given one.
class NearestPoint {
 public:
  explicit NearestPoint(const RegionNodes& surface) : surface_(surface) {
    for (const RegionNodes::Facet& facet : surface.facets) {
      Ball ball;
      for (const int k : facet.nodes) {
        for (int i = 0; i < surface.dim; ++i) ball.nodes.push_back(surface.nodes[k].x[i]);
        for (int i = 0; i < 3; ++i) ball.centre[i] += surface.nodes[k].x[i] / double(facet.nodes.size());
      }
      for (const int k : facet.nodes) ball.radius = std::max(ball.radius, between(ball.centre, surface.nodes[k].x));
      balls_.push_back(std::move(ball));
    }
  }
  MortarPoint find(const Position& x) const {
    std::size_t best = 0;
    NearestOnFacet nearest;
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t f = 0; f < balls_.size(); ++f) order.push_back({between(balls_[f].centre, x) - 1.2 * balls_[f].radius, f});
    std::ranges::sort(order);
    for (const auto& [least, f] : order) {
      if (least > nearest.distance) break;
      const NearestOnFacet here = nearest_on_facet({surface_.facets[f].type, surface_.dim}, balls_[f].nodes.data(), x.data());
      if (here.distance < nearest.distance) nearest = here, best = f;
    }
    const RegionNodes::Facet& facet = surface_.facets[best];
    std::vector<double> N(facet.nodes.size());
    shape_values(facet.type, nearest.xi.data(), N.data());
    MortarPoint point{{}, nearest.distance};
    for (std::size_t a = 0; a < N.size(); ++a)
      if (std::abs(N[a]) > coincident) point.nodes.push_back({facet.nodes[a], N[a]});
    return point;
  }

 private:
  struct Ball {
    Position centre{};
    double radius = 0;
    std::vector<double> nodes;
  };
  static double between(const Position& a, const Position& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

  const RegionNodes& surface_;
  std::vector<Ball> balls_;
};

Position place_on(const RegionNodes& surface, const RegionNodes::Facet& facet, const double* xi, std::vector<double>& N) {
  N.resize(facet.nodes.size());
  shape_values(facet.type, xi, N.data());
  Position x{};
  for (std::size_t a = 0; a < N.size(); ++a)
    for (int i = 0; i < 3; ++i) x[i] += N[a] * surface.nodes[facet.nodes[a]].x[i];
  return x;
}

double mortar_measure(const RegionNodes& surface, const RegionNodes::Facet& facet, const double* xi) {
  const int k = dimension_of(facet.type.shape);
  std::vector<double> dN(facet.nodes.size() * k);
  shape_gradients(facet.type, xi, dN.data());
  Eigen::Matrix<double, 3, 2> J = Eigen::Matrix<double, 3, 2>::Zero();
  for (std::size_t a = 0; a < facet.nodes.size(); ++a)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < k; ++j) J(i, j) += surface.nodes[facet.nodes[a]].x[i] * dN[a * k + j];
  return k == 1 ? J.col(0).norm() : J.col(0).head<3>().cross(J.col(1).head<3>()).norm();
}

/// Reference coordinates of the kinks of the other surface's shape functions along a segment: its projected nodes.
std::vector<double> breaks_of(const RegionNodes& side, const RegionNodes::Facet& facet, const RegionNodes& other) {
  std::vector<double> at{0, 1};
  const Position &a = side.nodes[facet.nodes[0]].x, &b = side.nodes[facet.nodes[1]].x;
  const double length2 = (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]);
  for (const RegionNodes::Facet& f : other.facets)
    for (const int k : {f.nodes[0], f.nodes[1]}) {
      const Position& x = other.nodes[k].x;
      const double s = ((x[0] - a[0]) * (b[0] - a[0]) + (x[1] - a[1]) * (b[1] - a[1])) / length2;
      if (s > coincident && s < 1 - coincident) at.push_back(s);
    }
  std::ranges::sort(at);
  const auto twice = std::ranges::unique(at, [](double s, double t) { return t - s < coincident; });
  at.erase(twice.begin(), twice.end());
  return at;
}

/// Quadrature on a facet of the tied surface, between the kinks of the other surface (2-D) or on small pieces (3-D).
Quadrature divided_rule(const RegionNodes& side, const RegionNodes::Facet& facet, const RegionNodes& other) {
  const Quadrature rule = quadrature(facet.type.shape, mortar_degree);
  Quadrature all;
  const auto add = [&](double weight, std::initializer_list<double> xi) {
    all.weights.push_back(weight);
    all.points.insert(all.points.end(), xi);
  };
  if (facet.type.shape == Shape::segment) {
    const std::vector<double> at = breaks_of(side, facet, other);
    for (std::size_t k = 0; k + 1 < at.size(); ++k)
      for (int q = 0; q < rule.count(); ++q) add(rule.weights[q] * (at[k + 1] - at[k]), {at[k] + (at[k + 1] - at[k]) * rule.points[q]});
    return all;
  }
  const double h = 1.0 / mortar_pieces;
  for (int i = 0; i < mortar_pieces; ++i)
    for (int j = 0; j < mortar_pieces; ++j)
      for (int q = 0; q < rule.count(); ++q) {
        const double s = rule.points[2 * q], t = rule.points[2 * q + 1], w = rule.weights[q] * h * h;
        if (facet.type.shape == Shape::quadrilateral || i + j < mortar_pieces) add(w, {h * (i + s), h * (j + t)});
        if (facet.type.shape == Shape::triangle && i + j + 1 < mortar_pieces) add(w, {h * (i + 1 - s), h * (j + 1 - t)});
      }
  return all;
}

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
  const NearestPoint nearest(other);
  const double extent = side.extent();
  rows.assign(side.nodes.size(), {});
  for (const RegionNodes::Facet& facet : side.facets) {
    const int n = static_cast<int>(facet.nodes.size()), k = dimension_of(facet.type.shape);
    const Quadrature rule = divided_rule(side, facet, other);
    Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd lumped = Eigen::VectorXd::Zero(n);
    std::vector<std::map<int, double>> integral(n);  // ∫ N_a N_other
    std::vector<double> N;
    for (int q = 0; q < rule.count(); ++q) {
      const double* xi = &rule.points[std::size_t(q) * k];
      const Position x = place_on(side, facet, xi, N);
      const double w = rule.weights[q] * mortar_measure(side, facet, xi) * (around_axis ? x[0] : 1.0);
      const MortarPoint there = nearest.find(x);
      if (const auto wrong = too_far(there.distance, extent)) return wrong;
      const Eigen::Map<const Eigen::VectorXd> values(N.data(), n);
      mass += w * values * values.transpose();
      lumped += w * values;
      for (int a = 0; a < n; ++a)
        for (const auto& [node, value] : there.nodes) integral[a][node] += w * N[a] * value;
    }
    // A node on the axis has no share of a constant stress with second-order functions, and any weight in its only facet.
    for (int a = 0; a < n; ++a)
      if (around_axis && side.nodes[facet.nodes[a]].x[0] <= coincident * extent) lumped[a] = lumped.sum();
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
  const NearestPoint nearest(other);
  const double extent = side.extent();
  rows.assign(side.nodes.size(), {});
  for (std::size_t a = 0; a < side.nodes.size(); ++a) {
    const MortarPoint there = nearest.find(side.nodes[a].x);
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
        if (std::abs(value) <= coincident * rows[a].own) continue;
        if (other.nodes[node].dofs[c] < 0) return "their components are of different order";
        row.terms.push_back({other.nodes[node].dofs[c], -value / rows[a].own});
      }
      out.push_back(std::move(row));
    }
  return std::nullopt;
}

}  // namespace invar
