#include "libfem/mesh/nearest_on_facet.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

using Space = Eigen::Vector3d;                                        // last entry 0 in 2-D
using Rates = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 2>;      // a column per direction
using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 2, 2>;
using ReferenceDirections = Eigen::Matrix<double, 2, Eigen::Dynamic, 0, 2, 2>;

constexpr int max_nodes = 9;
constexpr double tie = 1e-13;  // relative difference of distances due to rounding

/// A field with nodal values [node × dim]: value, first and second derivatives at ξ.
class FacetField {
 public:
  FacetField(FacetShape facet, const double* nodal)
      : facet_(facet), m_(dimension_of(facet.type.shape)), n_(node_count(facet.type)), nodal_(nodal) {}

  int reference_dim() const { return m_; }
  Space value(const Eigen::Vector2d& xi) const {
    double N[max_nodes];
    shape_values(facet_.type, xi.data(), N);
    return sum([&](int a) { return N[a]; });
  }
  Rates gradient(const Eigen::Vector2d& xi) const {
    double dN[2 * max_nodes];
    shape_gradients(facet_.type, xi.data(), dN);
    Rates g(3, m_);
    for (int j = 0; j < m_; ++j) g.col(j) = sum([&](int a) { return dN[a * m_ + j]; });
    return g;
  }
  /// w · ∂²X/∂ξ_i∂ξ_j. A central difference of the gradient is exact: it is of second order at most in each ξ.
  Square curvature(const Eigen::Vector2d& xi, const Space& w) const {
    Square s(m_, m_);
    for (int j = 0; j < m_; ++j) {
      const Eigen::Vector2d half = 0.5 * Eigen::Vector2d::Unit(j);
      s.col(j) = (gradient(xi + half) - gradient(xi - half)).transpose() * w;
    }
    return s;
  }

 private:
  template <class Weight>
  Space sum(Weight weight) const {
    Space x = Space::Zero();
    for (int a = 0; a < n_; ++a)
      for (int i = 0; i < facet_.dim; ++i) x[i] += weight(a) * nodal_[a * facet_.dim + i];
    return x;
  }

  FacetShape facet_;
  int m_, n_;
  const double* nodal_;
};

Space in_space(const double* x, int dim) {
  Space s = Space::Zero();
  for (int i = 0; i < dim; ++i) s[i] = x[i];
  return s;
}

bool inside(Shape shape, const Eigen::Vector2d& xi) {
  constexpr double slack = 1e-10;
  if (shape == Shape::segment) return xi[0] > -slack && xi[0] < 1 + slack;
  if (shape == Shape::triangle) return xi.minCoeff() > -slack && xi.sum() < 1 + slack;
  return xi.minCoeff() > -slack && xi.maxCoeff() < 1 + slack;
}

/// The facet, one of its edges or a vertex: from + directions · a.
struct Part {
  Eigen::Vector2d from;
  ReferenceDirections directions;
};

/// Parts of a facet, beginning with the facet itself.
std::vector<Part> parts_of(Shape shape) {
  const int m = dimension_of(shape);
  const std::vector<double> x = reference_nodes({shape, 1});
  const auto vertex = [&](int v) {
    return m == 1 ? Eigen::Vector2d(x[v], 0) : Eigen::Vector2d(x[2 * v], x[2 * v + 1]);
  };
  std::vector<Part> parts{{Eigen::Vector2d::Zero(), Eigen::Matrix2d::Identity().leftCols(m)}};
  if (m == 2)
    for (const auto& edge : edges_of(shape)) parts.push_back({vertex(edge[0]), vertex(edge[1]) - vertex(edge[0])});
  for (int v = 0; v < vertex_count(shape); ++v) parts.push_back({vertex(v), ReferenceDirections(2, 0)});
  return parts;
}

const std::vector<Part>& cached_parts(Shape shape) {
  static const std::vector<Part> segment = parts_of(Shape::segment), triangle = parts_of(Shape::triangle),
                                 quadrilateral = parts_of(Shape::quadrilateral);
  return shape == Shape::segment ? segment : shape == Shape::triangle ? triangle : quadrilateral;
}

/// The best of a lattice of points on a part. A straight facet has a single minimum, for which any start is suitable.
Eigen::Vector2d best_start(const FacetField& X, CellType type, const Part& part, const Space& x) {
  const int n_free = static_cast<int>(part.directions.cols());
  const bool straight = type.order == 1 && type.shape != Shape::quadrilateral;
  const int n = n_free == 0 || straight ? 0 : n_free == 1 ? 8 : 5;
  Eigen::Vector2d best = part.from;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= (n_free == 2 ? n : 0); ++j) {
      Eigen::Vector2d xi = part.from;
      if (n_free > 0 && n > 0) xi += part.directions.col(0) * (double(i) / n);
      if (n_free > 1 && n > 0) xi += part.directions.col(1) * (double(j) / n);
      if (!inside(type.shape, xi)) continue;
      const double square = (x - X.value(xi)).squaredNorm();
      if (square < least) least = square, best = xi;
    }
  return best;
}

/// Descends to a stationary point of ½|x − X(ξ)|² on a part; false if there is none inside the facet.
bool descend(const FacetField& X, CellType type, const Part& part, const Space& x, Eigen::Vector2d& xi) {
  const ReferenceDirections& T = part.directions;
  const int m = X.reference_dim();
  if (T.cols() == 0) return true;
  int last_steps = 0;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const Space r = x - X.value(xi);
    const Rates J = X.gradient(xi) * T.topRows(m);
    const Eigen::VectorXd g = J.transpose() * r;
    const Square convex = J.transpose() * J;
    Square H = convex - T.topRows(m).transpose() * X.curvature(xi, r) * T.topRows(m);
    Eigen::LLT<Square> factor(H);
    if (factor.info() != Eigen::Success) factor.compute(convex);
    if (factor.info() != Eigen::Success) return false;
    Eigen::Vector2d step = T * factor.solve(g);
    if (!step.allFinite()) return false;
    if (step.norm() < 1e-5) {  // quadratic from here on, and changes of the distance are soon lost to round-off
      xi += step;
      if (++last_steps == 3) return inside(type.shape, xi);
      continue;
    }
    if (step.norm() > 0.5) step *= 0.5 / step.norm();
    const double before = r.squaredNorm();
    int halvings = 0;
    while ((x - X.value(xi + step)).squaredNorm() > before && ++halvings < 40) step *= 0.5;
    xi += step;
    if (halvings >= 40 || (xi - Eigen::Vector2d::Constant(0.5)).norm() > 3) return false;
  }
  return false;
}

}  // namespace

bool NearestOnFacet::beats(const NearestOnFacet& other) const {
  if (distance < other.distance * (1 - tie)) return true;
  return distance <= other.distance * (1 + tie) && n_free > other.n_free;
}

NearestOnFacet nearest_on_facet(FacetShape facet, const double* nodes, const double* point) {
  const FacetField X(facet, nodes);
  const Space x = in_space(point, facet.dim);
  NearestOnFacet best;
  for (const Part& part : cached_parts(facet.type.shape)) {
    Eigen::Vector2d xi = best_start(X, facet.type, part, x);
    if (!descend(X, facet.type, part, x, xi)) continue;
    NearestOnFacet found{{xi[0], xi[1]}, (x - X.value(xi)).norm(), static_cast<int>(part.directions.cols())};
    for (int j = 0; j < found.n_free; ++j) found.free[j] = {part.directions(0, j), part.directions(1, j)};
    if (found.beats(best)) best = found;
  }
  return best;
}

std::array<double, 2> nearest_rate(FacetShape facet, const double* nodes, const double* nodes_dot, const double* point,
                                   const double* point_dot, const NearestOnFacet& at) {
  if (at.n_free == 0) return {};
  const FacetField X(facet, nodes), X_dot(facet, nodes_dot);
  const int m = X.reference_dim();
  const Eigen::Vector2d xi(at.xi[0], at.xi[1]);
  Square T(m, at.n_free);
  for (int j = 0; j < at.n_free; ++j)
    for (int i = 0; i < m; ++i) T(i, j) = at.free[j][i];
  const Space r = in_space(point, facet.dim) - X.value(xi);
  const Space v = in_space(point_dot, facet.dim) - X_dot.value(xi);
  const Rates J = X.gradient(xi) * T, J_dot = X_dot.gradient(xi) * T;
  const Square H = J.transpose() * J - T.transpose() * X.curvature(xi, r) * T;
  const Eigen::VectorXd rate = T * H.fullPivLu().solve(J.transpose() * v + J_dot.transpose() * r);
  return {rate[0], m > 1 ? rate[1] : 0.0};
}

}  // namespace invar
