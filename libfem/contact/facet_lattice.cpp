#include "libfem/contact/facet_lattice.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <stdexcept>

#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

/// visit(i, j): ξ = (i, j)/n.
template <class Visit>
void for_each_lattice_point(Shape shape, int n, Visit visit) {
  for (int j = 0; j <= (shape == Shape::segment ? 0 : n); ++j)
    for (int i = 0; i <= (shape == Shape::triangle ? n - j : n); ++i) visit(i, j);
}

/// Index of the point (i, j).
int lattice_number(Shape shape, int n, int i, int j) {
  if (shape == Shape::triangle) return j * (n + 1) - j * (j - 1) / 2 + i;
  return j * (n + 1) + i;
}

double reference_measure(Shape shape) { return shape == Shape::triangle ? 0.5 : 1; }

/// Weights of linear interpolation on the pieces.
Eigen::VectorXd trapezoidal_weights(Shape shape, int n) {
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(lattice_points(shape, n).size()));
  const auto pieces = lattice_pieces(shape, n);
  const int corners = vertex_count(shape);
  const double share = reference_measure(shape) / (static_cast<double>(pieces.size()) * corners);
  for (const auto& piece : pieces)
    for (int k = 0; k < corners; ++k) weights[piece[k]] += share;
  return weights;
}

/// ∫ N over the reference segment or triangle.
Eigen::VectorXd shape_integrals(CellType type) {
  const int corners = vertex_count(type.shape), nodes = node_count(type);
  const double measure = reference_measure(type.shape);
  Eigen::VectorXd integrals(nodes);
  for (int a = 0; a < nodes; ++a) {
    if (type.order == 1)
      integrals[a] = measure / corners;
    else if (type.shape == Shape::triangle)
      integrals[a] = a < corners ? 0 : measure / 3;
    else
      integrals[a] = a < corners ? measure / 6 : measure * 2 / 3;
  }
  return integrals;
}

/// The weights t + T Cᵀ (C T Cᵀ)⁻¹ (g − C t) minimise Σ (ω − t)²/t where C ω = g; T = diag t.
std::vector<double> fitted_weights(CellType type, int n) {
  const auto points = lattice_points(type.shape, n);
  const Eigen::VectorXd t = trapezoidal_weights(type.shape, n), g = shape_integrals(type);
  Eigen::MatrixXd C(g.size(), t.size());
  for (Eigen::Index k = 0; k < t.size(); ++k) shape_values(type, points[k].data(), C.col(k).data());
  const Eigen::MatrixXd CT = C * t.asDiagonal();
  const Eigen::VectorXd multiplier = (CT * C.transpose()).ldlt().solve(g - C * t);
  const Eigen::VectorXd weights = t + CT.transpose() * multiplier;
  std::vector<double> result(weights.data(), weights.data() + weights.size());
  for (double& w : result) w = std::max(w, 0.0);  // remove rounding errors of zero weights
  return result;
}

}  // namespace

std::vector<std::array<double, 2>> lattice_points(Shape shape, int n) {
  std::vector<std::array<double, 2>> points;
  for_each_lattice_point(shape, n, [&](int i, int j) { points.push_back({double(i) / n, double(j) / n}); });
  return points;
}

std::vector<std::array<int, 3>> lattice_pieces(Shape shape, int n) {
  std::vector<std::array<int, 3>> pieces;
  const auto at = [&](int i, int j) { return lattice_number(shape, n, i, j); };
  for (int j = 0; j < (shape == Shape::segment ? 1 : n); ++j)
    for (int i = 0; i < (shape == Shape::triangle ? n - j : n); ++i) {
      if (shape == Shape::segment) {
        pieces.push_back({i, i + 1, -1});
      } else if (shape == Shape::triangle) {
        pieces.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
        if (i + j < n - 1) pieces.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
      } else if ((i + j) % 2 == 0) {
        pieces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
        pieces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
      } else {
        pieces.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
        pieces.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
      }
    }
  return pieces;
}

std::vector<unsigned> lattice_borders(Shape shape, int n) {
  std::vector<unsigned> borders;
  for_each_lattice_point(shape, n, [&](int i, int j) {
    unsigned bits = 0;
    if (shape == Shape::segment)
      bits = (i == 0 ? 1u : 0u) | (i == n ? 2u : 0u);
    else if (shape == Shape::triangle)
      bits = (j == 0 ? 1u : 0u) | (i + j == n ? 2u : 0u) | (i == 0 ? 4u : 0u);
    else
      bits = (j == 0 ? 1u : 0u) | (i == n ? 2u : 0u) | (j == n ? 4u : 0u) | (i == 0 ? 8u : 0u);
    borders.push_back(bits);
  });
  return borders;
}

std::vector<double> lattice_weights(CellType type, int n) {
  if (n < type.order) throw std::invalid_argument("edges of second-order facets need at least two divisions");
  if (type.shape != Shape::quadrilateral) return fitted_weights(type, n);
  const std::vector<double> along = fitted_weights({Shape::segment, type.order}, n);
  std::vector<double> weights;
  for (double y : along)
    for (double x : along) weights.push_back(x * y);
  return weights;
}

}  // namespace invar
