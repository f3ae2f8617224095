#include "libfem/design/geometry/boundary_curve.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <tuple>

#include "libfem/design/geometry/facet_group.hpp"
#include "libfem/mesh/reference_element.hpp"
#include "libfem/space/quadrature.hpp"

namespace invar {
namespace {

constexpr int dim = 2;

/// A facet in the direction of the curve: start, end, then the middle node, if any.
struct Arc {
  std::vector<long long> nodes;
  std::vector<double> points;  // [nodes × 2]

  Arc reversed() const {
    Arc other = *this;
    std::swap(other.nodes[0], other.nodes[1]);
    for (int d = 0; d < dim; ++d) std::swap(other.points[d], other.points[dim + d]);
    return other;
  }
  std::array<double, dim> tangent(double xi) const {  // dx/dξ
    const CellType type{Shape::segment, static_cast<int>(nodes.size()) - 1};
    double dN[3];
    shape_gradients(type, &xi, dN);
    std::array<double, dim> t{};
    for (std::size_t a = 0; a < nodes.size(); ++a)
      for (int d = 0; d < dim; ++d) t[d] += dN[a] * points[a * dim + d];
    return t;
  }
  double length(double from, double to) const {  // of ξ
    static const Quadrature rule = quadrature(Shape::segment, 19);
    double sum = 0;
    for (int q = 0; q < rule.count(); ++q) {
      const auto t = tangent(from + (to - from) * rule.points[q]);
      sum += (to - from) * rule.weights[q] * std::hypot(t[0], t[1]);
    }
    return sum;
  }
  std::array<double, dim> normal(double xi) const {  // unit, to the right
    const auto t = tangent(xi);
    const double size = std::hypot(t[0], t[1]);
    return {t[1] / size, -t[0] / size};
  }
};

std::string place(const double* x) { return "(" + std::to_string(x[0]) + ", " + std::to_string(x[1]) + ")"; }

/// Orders the arcs of a region into one chain.
class Chain {
 public:
  Chain(const std::vector<FacetGroup>& groups, std::string region) : region_(std::move(region)) {
    for (const FacetGroup& group : groups) {
      const int k = node_count(group.type);
      for (int e = 0; e < group.count(); ++e) {
        const auto nodes = group.nodes.begin() + std::ptrdiff_t(e) * k;
        const auto x = group.points.begin() + std::ptrdiff_t(e) * k * dim;
        arcs_.push_back({{nodes, nodes + k}, {x, x + k * dim}});
        for (int end = 0; end < 2; ++end) at_[nodes[end]].push_back(static_cast<int>(arcs_.size()) - 1);
      }
    }
    if (arcs_.empty()) throw std::invalid_argument("region '" + region_ + "' has no facets");
  }

  std::vector<Arc> ordered() const {
    auto [vertex, next] = start();
    std::vector<Arc> chain;
    for (std::vector<char> used(arcs_.size(), false); next >= 0;) {
      used[next] = true;
      chain.push_back(arcs_[next].nodes[0] == vertex ? arcs_[next] : arcs_[next].reversed());
      vertex = chain.back().nodes[1];
      next = -1;
      for (int arc : at_.at(vertex))
        if (!used[arc]) next = arc;
    }
    if (chain.size() != arcs_.size())
      throw std::invalid_argument("region '" + region_ + "' consists of several pieces; give each a separate name");
    return chain;
  }

 private:
  /// The first vertex and arc: an end of an open chain, the rightmost vertex of a closed one; preferably an arc that starts there.
  std::pair<long long, int> start() const {
    using Rank = std::tuple<bool, double, double, bool, long long>;  // the minimum is chosen
    Rank best;
    int first = -1;
    for (const auto& [vertex, arcs] : at_) {
      const bool inside = arcs.size() == 2;
      for (int arc : arcs) {
        const bool against = arcs_[arc].nodes[0] != vertex;
        const double* x = &arcs_[arc].points[against ? dim : 0];
        if (arcs.size() > 2)
          throw std::invalid_argument("region '" + region_ + "' branches at " + place(x) +
                                      "; a boundary curve is one chain of facets");
        const Rank rank{inside, inside ? -x[0] : 0, inside ? x[1] : 0, against, vertex};
        if (first < 0 || rank < best) best = rank, first = arc;
      }
    }
    return {std::get<long long>(best), first};
  }

  std::string region_;
  std::vector<Arc> arcs_;
  std::map<long long, std::vector<int>> at_;  // arcs by the vertices at their ends
};

void append(BoundaryCurve& curve, const Arc& arc, int a, const std::array<double, dim>& normal) {
  curve.nodes.push_back(arc.nodes[a]);
  curve.parameters.push_back(curve.length);
  curve.points.insert(curve.points.end(), {arc.points[a * dim], arc.points[a * dim + 1]});
  curve.normals.insert(curve.normals.end(), normal.begin(), normal.end());
}

/// Normal at the vertex between two arcs; `before` may be null at the start of an open curve.
std::array<double, dim> corner_normal(const Arc* before, const Arc* after) {
  if (!before) return after->normal(0);
  if (!after) return before->normal(1);
  const auto m = before->normal(1), n = after->normal(0);
  const double size = std::hypot(m[0] + n[0], m[1] + n[1]);
  if (size < 1e-8)
    throw std::invalid_argument("the boundary turns back on itself at " + place(after->points.data()) +
                                ", where it has no normal");
  return {(m[0] + n[0]) / size, (m[1] + n[1]) / size};
}

}  // namespace

BoundaryCurve arc_length_parameters(const Mesh& mesh, const std::string& region) {
  if (mesh.dim != dim) throw std::invalid_argument("boundary curves are for meshes in 2-D");
  const auto chain = Chain(gather_facets(mesh, {region}, mesh.coordinates), region).ordered();
  BoundaryCurve curve;
  curve.closed = chain.size() > 1 && chain.back().nodes[1] == chain.front().nodes[0];
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const Arc& arc = chain[i];
    const Arc* before = i > 0 ? &chain[i - 1] : curve.closed ? &chain.back() : nullptr;
    append(curve, arc, 0, corner_normal(before, &arc));
    curve.length += arc.length(0, 0.5);
    if (arc.nodes.size() == 3) append(curve, arc, 2, arc.normal(0.5));
    curve.length += arc.length(0.5, 1);
  }
  if (!curve.closed) append(curve, chain.back(), 1, corner_normal(&chain.back(), nullptr));
  for (double& s : curve.parameters) s /= curve.length;

  std::map<long long, int> position;
  for (std::size_t i = 0; i < curve.nodes.size(); ++i) position[curve.nodes[i]] = static_cast<int>(i);
  for (int node : mesh.find_region(region)->nodes) curve.positions.push_back(position.at(mesh.original_node[node]));
  return curve;
}

}  // namespace invar
