#include "libfem/mesh/wall_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "libfem/mesh/all_gather.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

constexpr int row_length = 11;  // shape, order, at most nine nodes

}  // namespace

WallDistance::WallDistance(std::shared_ptr<const Mesh> mesh, const std::vector<std::string>& regions)
    : mesh_(std::move(mesh)) {
  const auto global = [&](int node) {
    return node < mesh_->n_owned_nodes ? mesh_->node_offset + node : mesh_->ghost_nodes[node - mesh_->n_owned_nodes];
  };
  std::vector<long long> rows;
  for (const std::string& name : regions) {
    const Region* region = mesh_->find_region(name);
    if (!region) throw std::invalid_argument("the mesh has no region '" + name + "' to measure the distance to");
    if (region->dim != mesh_->dim - 1)
      throw std::invalid_argument("the region '" + name + "' is not a part of the boundary: no wall to measure the distance to");
    for (std::size_t b = 0; b < region->members.size(); ++b) {
      const CellBlock& block = mesh_->facets[b];
      const int n = node_count(block.type);
      for (const int e : region->members[b]) {
        if (e >= block.n_owned) continue;  // every facet has one owner
        std::vector<long long> row{static_cast<long long>(block.type.shape), block.type.order};
        for (int a = 0; a < n; ++a) row.push_back(global(block.nodes[std::size_t(e) * n + a]));
        row.resize(row_length, -1);
        rows.insert(rows.end(), row.begin(), row.end());
      }
    }
  }
  rows = all_gather(rows, MPI_LONG_LONG, mesh_->comm);

  // Removes duplicates of facets in several regions, in an order that does not depend on the partition.
  std::vector<std::vector<long long>> unique;
  for (std::size_t i = 0; i < rows.size(); i += row_length) unique.emplace_back(rows.begin() + i, rows.begin() + i + row_length);
  std::ranges::sort(unique);
  unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
  if (unique.empty()) throw std::invalid_argument("no wall to measure the distance to: the regions have no facets");
  std::vector<long long> nodes;
  for (const auto& row : unique)
    for (int a = 2; a < row_length; ++a)
      if (row[a] >= 0) nodes.push_back(row[a]);
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  n_wall_nodes_ = nodes.size();
  const auto position = [&](long long node) {
    const auto at = std::ranges::lower_bound(nodes, node);
    return at != nodes.end() && *at == node ? static_cast<int>(at - nodes.begin()) : -1;
  };
  for (const auto& row : unique) {
    Facet& f = facets_.emplace_back(Facet{{static_cast<Shape>(row[0]), static_cast<int>(row[1])}, {}});
    for (int a = 0; a < node_count(f.type); ++a) f.nodes.push_back(position(row[a + 2]));
  }
  wall_node_.resize(mesh_->node_total());
  held_.assign(n_wall_nodes_, -1);
  for (int node = 0; node < mesh_->node_total(); ++node)
    if ((wall_node_[node] = position(global(node))) >= 0) held_[wall_node_[node]] = node;
  move(mesh_->coordinates);
}

std::vector<double> WallDistance::gathered(const double* nodal) const {
  const int dim = mesh_->dim;
  std::vector<double> at_walls(n_wall_nodes_ * dim, 0.0);
  for (int node = 0; node < mesh_->n_owned_nodes; ++node)
    if (wall_node_[node] >= 0) std::copy_n(nodal + std::size_t(node) * dim, dim, at_walls.data() + std::size_t(wall_node_[node]) * dim);
  MPI_Allreduce(MPI_IN_PLACE, at_walls.data(), static_cast<int>(at_walls.size()), MPI_DOUBLE, MPI_SUM, mesh_->comm);
  return at_walls;
}

void WallDistance::add_to_owners(std::vector<double> at_walls, double* nodal) const {
  const int dim = mesh_->dim;
  MPI_Allreduce(MPI_IN_PLACE, at_walls.data(), static_cast<int>(at_walls.size()), MPI_DOUBLE, MPI_SUM, mesh_->comm);
  for (int node = 0; node < mesh_->n_owned_nodes; ++node)
    for (int i = 0; wall_node_[node] >= 0 && i < dim; ++i)
      nodal[std::size_t(node) * dim + i] += at_walls[std::size_t(wall_node_[node]) * dim + i];
}

std::vector<double> WallDistance::of_facet(const Facet& f, const std::vector<double>& at_walls) const {
  const int dim = mesh_->dim;
  std::vector<double> nodal;
  nodal.reserve(f.nodes.size() * dim);
  for (const int k : f.nodes) nodal.insert(nodal.end(), at_walls.begin() + std::size_t(k) * dim, at_walls.begin() + std::size_t(k + 1) * dim);
  return nodal;
}

BoxTree WallDistance::grow_tree() const {
  const int dim = mesh_->dim;
  std::vector<BoundingBox> boxes;
  for (const Facet& f : facets_) {
    const std::vector<double> x = of_facet(f, walls_);
    BoundingBox& box = boxes.emplace_back();
    for (int i = 0; i < dim; ++i) {
      box.low[i] = box.high[i] = x[i];
      for (std::size_t k = i; k < x.size(); k += dim) box.low[i] = std::min(box.low[i], x[k]), box.high[i] = std::max(box.high[i], x[k]);
      // A curved facet leaves its nodes' box by at most (Λ − 1)/2 of its size; Λ ≤ 5/3 is Lebesgue's constant.
      const double margin = f.type.order == 2 ? 0.34 * (box.high[i] - box.low[i]) : 0.0;
      box.low[i] -= margin, box.high[i] += margin;
    }
  }
  return BoxTree(std::move(boxes));
}

WallDistance::Foot WallDistance::find(const double* point, const BoxTree& tree) const {
  const int dim = mesh_->dim;
  std::array<double, 3> x{};
  std::copy_n(point, dim, x.begin());
  Foot foot;
  tree.visit_near(x, [&](int facet) {
    const NearestOnFacet at = nearest_on_facet(shape(facets_[facet]), of_facet(facets_[facet], walls_).data(), point);
    if (at.beats(foot.at)) foot.facet = facet, foot.at = at;
    return foot.at.distance * (1 + 1e-12);  // distances within this tolerance count as equal
  });
  if (foot.facet < 0) return foot;
  const Facet& f = facets_[foot.facet];
  double N[row_length];
  shape_values(f.type, foot.at.xi.data(), N);
  foot.normal = x;
  for (std::size_t k = 0; k < f.nodes.size(); ++k)
    for (int i = 0; i < dim; ++i) foot.normal[i] -= N[k] * walls_[std::size_t(f.nodes[k]) * dim + i];
  for (int i = 0; i < dim; ++i) foot.normal[i] = foot.at.distance > 0 ? foot.normal[i] / foot.at.distance : 0.0;
  return foot;
}

void WallDistance::move(const std::vector<double>& x) {
  std::vector<double> walls = gathered(x.data());
  if (x == x_ && walls == walls_) return;
  x_ = x;
  walls_ = std::move(walls);
  feet_.assign(mesh_->node_total(), {});
  distance_.assign(mesh_->node_total(), 0.0);
  if (!std::ranges::all_of(walls_, [](double v) { return std::isfinite(v); })) {
    std::ranges::fill(distance_, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const BoxTree tree = grow_tree();
  for (int node = 0; node < mesh_->node_total(); ++node)
    if (wall_node_[node] < 0) {
      feet_[node] = find(&x_[std::size_t(node) * mesh_->dim], tree);
      distance_[node] = feet_[node].facet < 0 ? std::numeric_limits<double>::quiet_NaN() : feet_[node].at.distance;
    }
}

// ---- derivatives: forward, then reverse, then second order ----------------------------------------------

void WallDistance::jvp(const double* x_dot, double* field_dot) const {
  const int dim = mesh_->dim;
  const std::vector<double> walls_dot = gathered(x_dot);
  for (int node = 0; node < mesh_->node_total(); ++node) {
    const Foot& foot = feet_[node];
    field_dot[node] = 0;
    if (foot.facet < 0) continue;
    const Facet& f = facets_[foot.facet];
    double N[row_length];
    shape_values(f.type, foot.at.xi.data(), N);
    for (int i = 0; i < dim; ++i) {
      double v = x_dot[std::size_t(node) * dim + i];
      for (std::size_t k = 0; k < f.nodes.size(); ++k) v -= N[k] * walls_dot[std::size_t(f.nodes[k]) * dim + i];
      field_dot[node] += foot.normal[i] * v;
    }
  }
}

void WallDistance::add_sensitivities(int node, std::vector<Sensitivity>& to) const {
  const Foot& foot = feet_[node];
  if (foot.facet < 0) return;
  const Facet& f = facets_[foot.facet];
  double N[row_length];
  shape_values(f.type, foot.at.xi.data(), N);
  to.push_back({node, foot.normal});
  for (std::size_t k = 0; k < f.nodes.size(); ++k)
    if (const int wall = held_[f.nodes[k]]; wall >= 0) to.push_back({wall, {-N[k] * foot.normal[0], -N[k] * foot.normal[1], -N[k] * foot.normal[2]}});
}

bool WallDistance::holds_all(const std::vector<char>& marked) const {
  std::vector<int> at_walls(n_wall_nodes_, 0);
  for (int node = 0; node < mesh_->n_owned_nodes; ++node)
    if (wall_node_[node] >= 0) at_walls[wall_node_[node]] = marked[node];
  MPI_Allreduce(MPI_IN_PLACE, at_walls.data(), static_cast<int>(at_walls.size()), MPI_INT, MPI_MAX, mesh_->comm);
  for (std::size_t k = 0; k < at_walls.size(); ++k)
    if (at_walls[k] && held_[k] < 0) return false;
  return true;
}

void WallDistance::vjp(const double* field_bar, double* x_bar) const {
  const int dim = mesh_->dim;
  std::vector<double> walls_bar(walls_.size(), 0.0);
  for (int node = 0; node < mesh_->n_owned_nodes; ++node) {
    const Foot& foot = feet_[node];
    if (foot.facet < 0) continue;
    const Facet& f = facets_[foot.facet];
    double N[row_length];
    shape_values(f.type, foot.at.xi.data(), N);
    for (int i = 0; i < dim; ++i) {
      const double force = field_bar[node] * foot.normal[i];
      x_bar[std::size_t(node) * dim + i] += force;
      for (std::size_t k = 0; k < f.nodes.size(); ++k) walls_bar[std::size_t(f.nodes[k]) * dim + i] -= N[k] * force;
    }
  }
  add_to_owners(std::move(walls_bar), x_bar);
}

void WallDistance::vjp_tangent(const double* x_dot, const double* field_bar, const double* field_bar_dot,
                               double* x_bar_dot) const {
  const int dim = mesh_->dim;
  const std::vector<double> walls_dot = gathered(x_dot);
  std::vector<double> walls_bar_dot(walls_.size(), 0.0);
  for (int node = 0; node < mesh_->n_owned_nodes; ++node) {
    const Foot& foot = feet_[node];
    if (foot.facet < 0) continue;
    const Facet& f = facets_[foot.facet];
    const std::size_t n = f.nodes.size(), m = dim - 1;
    const std::vector<double> X = of_facet(f, walls_), X_dot = of_facet(f, walls_dot);
    const double *x = &x_[std::size_t(node) * dim], *point_dot = x_dot + std::size_t(node) * dim;
    const std::array<double, 2> xi_dot = nearest_rate(shape(f), X.data(), X_dot.data(), x, point_dot, foot.at);
    double N[row_length], dN[2 * row_length], N_dot[row_length];
    shape_values(f.type, foot.at.xi.data(), N);
    shape_gradients(f.type, foot.at.xi.data(), dN);
    // N_k varies with ξ, and n with the perpendicular part of the rate of x − X(ξ).
    std::array<double, 3> v{};
    std::copy_n(point_dot, dim, v.begin());
    for (std::size_t k = 0; k < n; ++k) {
      N_dot[k] = 0;
      for (std::size_t j = 0; j < m; ++j) N_dot[k] += dN[k * m + j] * xi_dot[j];
      for (int i = 0; i < dim; ++i) v[i] -= N[k] * X_dot[k * dim + i] + N_dot[k] * X[k * dim + i];
    }
    double along = 0;
    for (int i = 0; i < dim; ++i) along += foot.normal[i] * v[i];
    const double bar = field_bar[node], bar_dot = field_bar_dot[node];
    for (int i = 0; i < dim; ++i) {
      const double normal_dot = foot.at.distance > 0 ? (v[i] - along * foot.normal[i]) / foot.at.distance : 0.0;
      const double force = bar * foot.normal[i], force_dot = bar_dot * foot.normal[i] + bar * normal_dot;
      x_bar_dot[std::size_t(node) * dim + i] += force_dot;
      for (std::size_t k = 0; k < n; ++k)
        walls_bar_dot[std::size_t(f.nodes[k]) * dim + i] -= N[k] * force_dot + N_dot[k] * force;
    }
  }
  add_to_owners(std::move(walls_bar_dot), x_bar_dot);
}

}  // namespace invar
