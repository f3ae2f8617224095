#include "libfem/mechanism/region_ties.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "libadjoint/number_text.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libfem/mechanism/rest_numbers.hpp"

namespace invar {
namespace {

constexpr double partner_tolerance = 1e-6;  // largest distance of partner nodes, relative to the extent of their side

double node_distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

std::string place_text(const std::array<double, 3>& x, int dim) {
  std::string text = "(";
  for (int i = 0; i < dim; ++i) text += (i ? ", " : "") + number_text(x[i]);
  return text + ")";
}

/// Nodes sorted into the cells of a lattice with edge length `edge`.
class NodeLattice {
 public:
  NodeLattice(const RegionNodes& region, double edge) : region_(region), edge_(edge) {
    for (std::size_t k = 0; k < region.nodes.size(); ++k) cells_[cell(region.nodes[k].x)].push_back(static_cast<int>(k));
  }
  /// A node within that distance of x; −1: none.
  int find(const std::array<double, 3>& x) const {
    const Cell at = cell(x);
    for (long long i = -1; i <= 1; ++i)
      for (long long j = -1; j <= 1; ++j)
        for (long long k = -1; k <= 1; ++k)
          if (const auto found = cells_.find({at[0] + i, at[1] + j, at[2] + k}); found != cells_.end())
            for (const int node : found->second)
              if (node_distance(region_.nodes[node].x, x) <= edge_) return node;
    return -1;
  }

 private:
  using Cell = std::array<long long, 3>;
  Cell cell(const std::array<double, 3>& x) const {
    return {std::llround(x[0] / edge_), std::llround(x[1] / edge_), std::llround(x[2] / edge_)};
  }
  const RegionNodes& region_;
  double edge_;
  std::map<Cell, std::vector<int>> cells_;
};

double nearest_node(const RegionNodes& region, const std::array<double, 3>& x) {
  double least = std::numeric_limits<double>::infinity();
  for (const RegionNodes::Node& node : region.nodes) least = std::min(least, node_distance(node.x, x));
  return least;
}

}  // namespace

std::optional<std::string> tie_periodic(const RegionNodes& side, const RegionNodes& other, const std::vector<MeanGradient>& components,
                                        int source, std::vector<LinearConstraint>& out, RestNumbers* rest) {
  if (side.nodes.size() != other.nodes.size())
    return "one has " + std::to_string(side.nodes.size()) + " nodes, the other " + std::to_string(other.nodes.size());
  const auto low = side.box()[0], low_other = other.box()[0];
  const std::array<double, 3> shift{low_other[0] - low[0], low_other[1] - low[1], low_other[2] - low[2]};
  const double tolerance = partner_tolerance * std::max(side.extent(), std::sqrt(shift[0] * shift[0] + shift[1] * shift[1] + shift[2] * shift[2]));
  if (tolerance == 0) return "they are the same point";
  const NodeLattice lattice(side, tolerance);
  for (const RegionNodes::Node& node : other.nodes) {
    const std::array<double, 3> wanted{node.x[0] - shift[0], node.x[1] - shift[1], node.x[2] - shift[2]};
    const int partner = lattice.find(wanted);
    if (partner < 0)
      return "the node at " + place_text(node.x, side.dim) + " has no partner at " + place_text(wanted, side.dim) + ", the nearest is " +
             short_number(nearest_node(side, wanted), 3) + " m away";
    const RegionNodes::Node& first = side.nodes[partner];
    if (node.original == first.original) return "they share the node at " + place_text(node.x, side.dim);
    const bool follows_shape = rest && rest->follow_shape();
    const RestPlace X = follows_shape ? place_in_shape(node, side.dim, *rest) : RestPlace(node.x), Y = follows_shape ? place_in_shape(first, side.dim, *rest) : RestPlace(first.x);
    for (const MeanGradient& c : components) {
      const PetscInt a = node.dofs[c.component], b = first.dofs[c.component];
      if ((a < 0) != (b < 0)) return "the unknowns of the nodes at " + place_text(node.x, side.dim) + " and " + place_text(first.x, side.dim) + " differ";
      if (a < 0) continue;
      LinearConstraint row{.terms = {{a, 1.0}, {b, -1.0}}, .follower = a, .source = source};
      for (int i = 0; i < side.dim; ++i)
        if (c.along[i] && (follows_shape || std::abs(node.x[i] - first.x[i]) > tolerance)) add_term(row, *c.along[i], Y[i] - X[i]);
      out.push_back(std::move(row));
      for (int i = 0; i < side.dim; ++i)
        if (c.along[i] && c.keeps_period[i] && follows_shape) {
          LinearConstraint kept{.terms = {}, .source = source, .of_any_values = true};
          add_term(kept, *c.along[i], X[i] - Y[i]);
          kept.terms.push_back({*c.along[i], first.x[i] - node.x[i]});
          out.push_back(std::move(kept));
        }
    }
  }
  return std::nullopt;
}

std::array<double, 3> centre_of(const RegionNodes& region) {
  std::array<double, 3> centre{};
  double total = 0;
  for (const RegionNodes::Node& node : region.nodes) {
    total += node.weight;
    for (int i = 0; i < 3; ++i) centre[i] += node.weight * node.x[i];
  }
  for (double& x : centre) x /= total;
  return centre;
}

std::vector<int> extended_axes(const RegionNodes& region) {
  const auto [low, high] = region.box();
  std::vector<int> axes;
  for (int i = 0; i < region.dim; ++i)
    if (high[i] - low[i] > partner_tolerance * region.extent()) axes.push_back(i);
  return axes;
}

RestPlace centre_in_shape(const RegionNodes& region, RestNumbers& rest) {
  RestPlace centre(centre_of(region));
  if (!rest.follow_shape()) return centre;
  std::vector<std::pair<long long, double>> weights;
  double total = 0;
  for (const RegionNodes::Node& node : region.nodes) total += node.weight;
  for (const RegionNodes::Node& node : region.nodes) weights.push_back({node.original, node.weight / total});
  for (int i = 0; i < region.dim; ++i) centre.let_follow(i, {.rest = rest.add_coordinate(weights, i)});
  return centre;
}

RestPlace place_in_shape(const RegionNodes::Node& node, int dim, RestNumbers& rest) {
  RestPlace X(node.x);
  for (int i = 0; rest.follow_shape() && i < dim; ++i) X.let_follow(i, {.rest = rest.add_coordinate({{node.original, 1.0}}, i)});
  return X;
}

void tie_motion(const RegionNodes& region, const RegionMotion& motion, int source, std::vector<LinearConstraint>& out, RestNumbers* rest) {
  const RestPlace centre = rest ? centre_in_shape(region, *rest) : RestPlace(centre_of(region));
  for (const RegionNodes::Node& node : region.nodes) {
    const PetscInt dof = node.dofs[motion.component];
    if (dof < 0) continue;
    LinearConstraint row{.terms = {{dof, 1.0}}, .follower = dof, .source = source};
    if (motion.shift) row.terms.push_back({*motion.shift, -1.0});
    const RestPlace X = rest ? place_in_shape(node, region.dim, *rest) : RestPlace(node.x);
    for (int i = 0; i < region.dim; ++i)
      if (motion.slope[i]) add_term(row, *motion.slope[i], centre[i] - X[i]);
    out.push_back(std::move(row));
  }
}

void tie_mean(const RegionNodes& region, int component, PetscInt mean, int source, std::vector<LinearConstraint>& out, RestNumbers* rest) {
  LinearConstraint row{.terms = {}, .source = source};
  double total = 0;
  for (const RegionNodes::Node& node : region.nodes)
    if (node.dofs[component] >= 0) total += node.weight;
  const int first = rest && rest->follow_shape() ? rest->add_weights(region) : -1;
  for (std::size_t k = 0; k < region.nodes.size(); ++k) {
    const RegionNodes::Node& node = region.nodes[k];
    if (node.dofs[component] < 0 || (first < 0 && node.weight == 0)) continue;
    if (first >= 0) row.variations.push_back({row.terms.size(), first + static_cast<int>(k), 1 / total});
    row.terms.push_back({node.dofs[component], node.weight / total});
  }
  const std::size_t nodal = row.variations.size();
  for (std::size_t k = 0; k < nodal; ++k) row.variations.push_back({row.terms.size(), row.variations[k].number, -1 / total});
  row.terms.push_back({mean, -1.0});
  out.push_back(std::move(row));
}

}  // namespace invar
