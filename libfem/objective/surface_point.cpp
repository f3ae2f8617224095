#include "libfem/objective/surface_point.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libfem/mesh/all_gather.hpp"
#include "libfem/mesh/reference_element.hpp"
#include "libfem/objective/function_of.hpp"

namespace invar {
namespace {

long long number_of(const Mesh& mesh, int node) {
  return node < mesh.n_owned_nodes ? mesh.node_offset + node : mesh.ghost_nodes[node - mesh.n_owned_nodes];
}

/// The point of a segment at x = station, if any. The end with the smaller x belongs to the segment, the other does not.
std::optional<SurfacePoint> cut_segment(const Mesh& mesh, CellType type, const int* nodes, double station) {
  const int n = node_count(type);
  const auto x = [&](int a, int i) { return mesh.coordinates[2 * std::size_t(nodes[a]) + i]; };
  const bool rises = x(0, 0) < x(1, 0);
  if (!(x(rises ? 0 : 1, 0) <= station && station < x(rises ? 1 : 0, 0))) return std::nullopt;
  std::vector<double> N(n);
  const auto at = [&](double xi, int i) {
    shape_values(type, &xi, N.data());
    double sum = 0;
    for (int a = 0; a < n; ++a) sum += N[a] * x(a, i);
    return sum;
  };
  double low = 0, high = 1;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    ((at(middle, 0) <= station) == rises ? low : high) = middle;
  }
  SurfacePoint p;
  p.place = {at(low, 0), at(low, 1)};
  for (int a = 0; a < n; ++a) p.nodes.push_back(number_of(mesh, nodes[a])), p.weights.push_back(N[a]);
  return p;
}

}  // namespace

std::vector<SurfacePoint> cut_at(const Mesh& mesh, const std::string& region, double station) {
  const Region* r = mesh.find_region(region);
  if (!r || r->dim != 1 || mesh.dim != 2) throw std::invalid_argument("'" + region + "' is not a boundary of a plane mesh");
  constexpr int most = 3;  // nodes
  std::vector<double> rows;
  for (std::size_t b = 0; b < r->members.size(); ++b) {
    const CellBlock& block = mesh.facets[b];
    const int n = node_count(block.type);
    for (const int f : r->members[b])
      if (const auto p = cut_segment(mesh, block.type, &block.nodes[std::size_t(f) * n], station)) {
        std::vector<double> row{p->place[1], p->place[0]};
        for (int a = 0; a < most; ++a) row.insert(row.end(), {a < n ? double(p->nodes[a]) : -1.0, a < n ? p->weights[a] : 0.0});
        rows.insert(rows.end(), row.begin(), row.end());
      }
  }
  rows = all_gather(rows, MPI_DOUBLE, mesh.comm);
  constexpr std::size_t length = 2 + 2 * most;
  std::vector<std::vector<double>> unique;
  for (std::size_t i = 0; i < rows.size(); i += length) unique.emplace_back(rows.begin() + i, rows.begin() + i + length);
  std::ranges::sort(unique);
  std::vector<SurfacePoint> points;
  for (std::size_t i = 0; i < unique.size(); ++i) {
    const auto& row = unique[i];
    const auto same_nodes = [&](const SurfacePoint& p) { return p.nodes[0] == static_cast<long long>(row[2]) && p.nodes[1] == static_cast<long long>(row[4]); };
    if (std::ranges::any_of(points, same_nodes)) continue;  // ranks share facets
    SurfacePoint p{{}, {}, {row[1], row[0]}};
    for (int a = 0; a < most; ++a)
      if (row[2 + 2 * a] >= 0) p.nodes.push_back(static_cast<long long>(row[2 + 2 * a])), p.weights.push_back(row[3 + 2 * a]);
    points.push_back(std::move(p));
  }
  return points;
}

SurfacePoint foremost(const Mesh& mesh, const std::string& region) {
  const Region* r = mesh.find_region(region);
  if (!r) throw std::invalid_argument("the mesh has no region '" + region + "'");
  std::vector<double> best{INFINITY, INFINITY, -1};
  for (const int node : r->nodes)
    if (const double* x = &mesh.coordinates[std::size_t(node) * mesh.dim]; std::vector<double>{x[0], x[1], 0} < best)
      best = {x[0], x[1], double(number_of(mesh, node))};
  const std::vector<double> all = all_gather(best, MPI_DOUBLE, mesh.comm);
  for (std::size_t i = 0; i < all.size(); i += 3)
    if (std::vector<double>{all[i], all[i + 1], all[i + 2]} < best || best[2] < 0) best = {all[i], all[i + 1], all[i + 2]};
  return {{static_cast<long long>(best[2])}, {1.0}, {best[0], best[1]}};
}

PointPlace::PointPlace(std::shared_ptr<FormResidual> residual, const SurfacePoint& point, int component) : residual_(std::move(residual)) {
  const Mesh& mesh = residual_->dofs().mesh();
  for (std::size_t k = 0; k < point.nodes.size(); ++k)
    if (const long long own = point.nodes[k] - mesh.node_offset; own >= 0 && own < mesh.n_owned_nodes)
      entries_.emplace_back(std::size_t(own) * mesh.dim + component, point.weights[k]);
}

/// Sum over all ranks; 0 without a field. Collective.
double PointPlace::sum(const double* nodal) const {
  double value = 0;
  if (nodal)
    for (const auto& [entry, weight] : entries_) value += weight * nodal[entry];
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, residual_->comm());
  return value;
}

void PointPlace::evaluate(const EvaluationPoint& u, double* y) { *y = sum(residual_->coordinates(u.given).data()); }

void PointPlace::jvp(const EvaluationPoint&, const State&, const Controls* d_dot, double* y_dot) {
  const int control = residual_->coordinates_control();
  *y_dot = sum(control < 0 || !d_dot || (*d_dot)[control].empty() ? nullptr : (*d_dot)[control].data());
}

void PointPlace::vjp(const EvaluationPoint&, const double* y_bar, const State&, Controls* d_bar) {
  const int control = residual_->coordinates_control();
  if (control < 0 || !d_bar || (*d_bar)[control].empty()) return;
  for (const auto& [entry, weight] : entries_) (*d_bar)[control][entry] += weight * y_bar[0];
}

void PointPlace::vjp_tangent(const EvaluationPoint& u, const double*, const double* y_bar_dot, const State&, const Controls*, const State& u_bar_dot,
                             Controls* d_bar_dot) {
  if (y_bar_dot) vjp(u, y_bar_dot, u_bar_dot, d_bar_dot);
}

std::shared_ptr<Observable> make_point_distance(const std::shared_ptr<FormResidual>& residual, const std::array<SurfacePoint, 2>& points) {
  std::array<std::shared_ptr<Observable>, 4> places;
  for (int k = 0; k < 4; ++k) places[k] = std::make_shared<PointPlace>(residual, points[k / 2], k % 2);
  return FunctionOf::make<4>(places, [](const auto& a) {
    const auto x = a[2] - a[0], y = a[3] - a[1];
    return sqrt(x * x + y * y);
  });
}

std::shared_ptr<Observable> make_circle_radius(const std::shared_ptr<FormResidual>& residual, const std::array<SurfacePoint, 3>& points) {
  std::array<std::shared_ptr<Observable>, 6> places;
  for (int k = 0; k < 6; ++k) places[k] = std::make_shared<PointPlace>(residual, points[k / 2], k % 2);
  // The product of the sides over four times the area.
  return FunctionOf::make<6>(places, [](const auto& a) {
    const auto side = [&](int i, int j) {
      const auto x = a[2 * j] - a[2 * i], y = a[2 * j + 1] - a[2 * i + 1];
      return x * x + y * y;
    };
    const auto twice = (a[2] - a[0]) * (a[5] - a[1]) - (a[4] - a[0]) * (a[3] - a[1]);
    return sqrt(side(0, 1) * side(1, 2) * side(2, 0) / (4.0 * twice * twice));
  });
}

}  // namespace invar
