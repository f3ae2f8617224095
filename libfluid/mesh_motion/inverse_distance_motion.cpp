#include "libfluid/mesh_motion/inverse_distance_motion.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "libfem/mesh/all_gather.hpp"
#include "libfem/mesh/reference_element.hpp"
#include "libfluid/mesh_motion/still_boundary.hpp"

namespace invar {
namespace {

constexpr const char* held = "fixed boundary";
constexpr int row_length = 12;  // state of each component encoded in one number, shape, order, at most nine nodes

long long global_number(const Mesh& mesh, int node) {
  return node < mesh.n_owned_nodes ? mesh.node_offset + node : mesh.ghost_nodes[node - mesh.n_owned_nodes];
}

}  // namespace

template <int Dim>
InverseDistanceMotion<Dim>::InverseDistanceMotion(std::shared_ptr<const Mesh> mesh, MPI_Comm comm, MeshMotionOptions options)
    : MeshMotion(std::move(mesh), comm, std::move(options)) {
  gather_boundary();
  for (int k = 0; k < static_cast<int>(areas_.size()); ++k)
    for (int i = 0; i < Dim; ++i)
      if (state(k, i) == State::moves) {
        moving_.push_back(k);
        break;
      }
  double square = 0;
  for (int i = 0; i < Dim; ++i) {
    double low = INFINITY, high = -INFINITY;
    for (const int k : moving_) low = std::min(low, places_[std::size_t(k) * Dim + i]), high = std::max(high, places_[std::size_t(k) * Dim + i]);
    if (!moving_.empty()) square += (high - low) * (high - low);
  }
  extent_ = square > 0 ? std::sqrt(square) : 1;
  moved_ = places_;
  total_.assign(mesh_->coordinates.size(), 0.0);
  for (int node = 0; node < mesh_->node_total(); ++node)
    for (int k = 0; k < static_cast<int>(areas_.size()); ++k) {
      if (position_[node] == k) continue;
      const double w = weight(&mesh_->coordinates[std::size_t(node) * Dim], k);
      for (int i = 0; i < Dim; ++i)
        if (state(k, i) != State::free) total_[std::size_t(node) * Dim + i] += w;
    }
}

/// Every rank gets the facets of all named regions, in an order that does not depend on the ranks.
template <int Dim>
void InverseDistanceMotion<Dim>::gather_boundary() {
  std::vector<long long> rows;
  const std::shared_ptr<const Mesh> named = with_still_boundary(*mesh_, comm_, regions_that_move(), held);
  for (const Region& r : named->regions) {
    if (r.dim != Dim - 1 || !(moves(r.name) || slides(r.name) || r.name == held)) continue;
    // State of each component: 0 free, 1 moving, 2 fixed.
    int fate = 0;
    for (int i = 0, place = 1; i < Dim; ++i, place *= 3) {
      int mine = moves(r.name) ? 1 : slides(r.name) ? 0 : 2;
      for (const auto& s : options_.sliding)
        if (s.region == r.name && s.component == i) mine = 2;
      fate += mine * place;
    }
    for (std::size_t b = 0; b < r.members.size(); ++b) {
      const CellBlock& block = mesh_->facets[b];
      const int n = node_count(block.type);
      for (const int e : r.members[b]) {
        if (e >= block.n_owned) continue;  // every facet has one owner
        std::vector<long long> row{fate, static_cast<long long>(block.type.shape), block.type.order};
        for (int a = 0; a < n; ++a) row.push_back(global_number(*mesh_, block.nodes[std::size_t(e) * n + a]));
        row.resize(row_length, -1);
        rows.insert(rows.end(), row.begin(), row.end());
      }
    }
  }
  rows = all_gather(rows, MPI_LONG_LONG, comm_);
  std::vector<std::vector<long long>> unique;
  for (std::size_t i = 0; i < rows.size(); i += row_length) unique.emplace_back(rows.begin() + i, rows.begin() + i + row_length);
  std::ranges::sort(unique);
  unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
  std::vector<long long> nodes;
  for (const auto& row : unique)
    for (int a = 3; a < row_length; ++a)
      if (row[a] >= 0) nodes.push_back(row[a]);
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  const auto position = [&](long long node) {
    const auto at = std::ranges::lower_bound(nodes, node);
    return at != nodes.end() && *at == node ? static_cast<int>(at - nodes.begin()) : -1;
  };
  position_.resize(mesh_->node_total());
  for (int node = 0; node < mesh_->node_total(); ++node) position_[node] = position(global_number(*mesh_, node));
  areas_.assign(nodes.size(), 0.0);
  states_.assign(nodes.size() * Dim, State::free);
  places_.assign(nodes.size() * Dim, 0.0);
  for (int node = 0; node < mesh_->n_owned_nodes; ++node)
    if (position_[node] >= 0) std::copy_n(&mesh_->coordinates[std::size_t(node) * Dim], Dim, &places_[std::size_t(position_[node]) * Dim]);
  MPI_Allreduce(MPI_IN_PLACE, places_.data(), static_cast<int>(places_.size()), MPI_DOUBLE, MPI_SUM, comm_);
  std::vector<typename Rotation::Facet> turning;
  std::map<std::vector<long long>, int> counted;  // facets in several regions have one area
  for (const auto& row : unique) {
    const CellType type{static_cast<Shape>(row[1]), static_cast<int>(row[2])};
    typename Rotation::Facet f{{}, vertex_count(type.shape)};
    for (int a = 0; a < node_count(type); ++a) f.nodes.push_back(position(row[a + 3]));
    const bool all_move = row[0] == (Dim == 2 ? 4 : 13);
    if (counted.try_emplace({row.begin() + 3, row.end()}, 1).second) {
      double extent[Dim], size = 0;
      for (int i = 0; i < Dim; ++i) {  // its area is approximated by the diagonal of its vertices
        double low = INFINITY, high = -INFINITY;
        for (int v = 0; v < f.n_vertices; ++v) {
          const double x = places_[std::size_t(f.nodes[v]) * Dim + i];
          low = std::min(low, x), high = std::max(high, x);
        }
        extent[i] = high - low, size += extent[i] * extent[i];
      }
      size = Dim == 2 ? std::sqrt(size) : 0.5 * size;
      for (const int k : f.nodes) areas_[k] += size / static_cast<double>(f.nodes.size());
    }
    // Fixed has priority, then moving.
    for (const int k : f.nodes)
      for (int i = 0, fate = static_cast<int>(row[0]); i < Dim; ++i, fate /= 3) {
        State& s = states_[std::size_t(k) * Dim + i];
        s = static_cast<State>(std::max<int>(static_cast<int>(s), fate % 3));
      }
    if (all_move) turning.push_back(std::move(f));
  }
  rotation_ = Rotation(std::move(turning), places_);
}

template <int Dim>
double InverseDistanceMotion<Dim>::weight(const double* x, int k) const {
  double square = 0;
  for (int i = 0; i < Dim; ++i) square += (x[i] - places_[std::size_t(k) * Dim + i]) * (x[i] - places_[std::size_t(k) * Dim + i]);
  const double r = extent_ / std::sqrt(square), near = 0.25 * r;
  return areas_[k] * (r * r * r + near * near * near * near * near);
}

template <int Dim>
template <class Use>
void InverseDistanceMotion<Dim>::follow(int node, Use&& use) const {
  const double* x = &mesh_->coordinates[std::size_t(node) * Dim];
  const int own = position_[node];
  double arm[Dim] = {};
  bool is_free = own < 0;
  for (int i = 0; own >= 0 && i < Dim; ++i) {
    if (state(own, i) == State::moves) use(own, 1.0, arm, i);
    is_free |= state(own, i) == State::free;
  }
  if (!is_free) return;
  for (const int k : moving_) {
    if (k == own) continue;
    const double w = weight(x, k);
    for (int i = 0; i < Dim; ++i) arm[i] = x[i] - places_[std::size_t(k) * Dim + i];
    for (int i = 0; i < Dim; ++i)
      if (state(k, i) == State::moves && (own < 0 || state(own, i) == State::free)) use(k, w / total_[std::size_t(node) * Dim + i], arm, i);
  }
}

template <int Dim>
std::vector<double> InverseDistanceMotion<Dim>::gathered(const std::vector<double>& boundary) const {
  std::vector<double> u(places_.size(), 0.0);
  for (int node = 0; node < mesh_->n_owned_nodes; ++node)
    for (int i = 0; position_[node] >= 0 && i < Dim; ++i)
      if (state(position_[node], i) == State::moves) u[std::size_t(position_[node]) * Dim + i] = boundary[std::size_t(node) * Dim + i];
  MPI_Allreduce(MPI_IN_PLACE, u.data(), static_cast<int>(u.size()), MPI_DOUBLE, MPI_SUM, comm_);
  return u;
}

template <int Dim>
std::vector<double> InverseDistanceMotion<Dim>::to_owners(std::vector<double> at_boundary) const {
  MPI_Allreduce(MPI_IN_PLACE, at_boundary.data(), static_cast<int>(at_boundary.size()), MPI_DOUBLE, MPI_SUM, comm_);
  std::vector<double> boundary(mesh_->coordinates.size(), 0.0);
  for (int node = 0; node < mesh_->n_owned_nodes; ++node)
    for (int i = 0; position_[node] >= 0 && i < Dim; ++i)
      if (state(position_[node], i) == State::moves) boundary[std::size_t(node) * Dim + i] = at_boundary[std::size_t(position_[node]) * Dim + i];
  return boundary;
}

// ---- forward, then reverse, then second order -----------------------------------------------------

template <int Dim>
std::vector<double> InverseDistanceMotion<Dim>::spread(const std::vector<double>& u, const std::vector<double>& turns) const {
  std::vector<double> w(mesh_->coordinates.size(), 0.0);
  for (int node = 0; node < mesh_->node_total(); ++node)
    follow(node, [&](int k, double share, const double* arm, int i) {
      double carried = u[std::size_t(k) * Dim + i];
      for (int j = 0; j < Dim; ++j) carried += turns[std::size_t(k) * n_matrix + i * Dim + j] * arm[j];
      w[std::size_t(node) * Dim + i] += share * carried;
    });
  return w;
}

template <int Dim>
void InverseDistanceMotion<Dim>::collect(const std::vector<double>& x_bar, std::vector<double>& u_bar, std::vector<double>& turns_bar) const {
  for (int node = 0; node < mesh_->n_owned_nodes; ++node)
    follow(node, [&](int k, double share, const double* arm, int i) {
      const double bar = share * x_bar[std::size_t(node) * Dim + i];
      u_bar[std::size_t(k) * Dim + i] += bar;
      for (int j = 0; j < Dim; ++j) turns_bar[std::size_t(k) * n_matrix + i * Dim + j] += bar * arm[j];
    });
}

template <int Dim>
Evaluation InverseDistanceMotion<Dim>::displace(const std::vector<double>& boundary, std::vector<double>& displacement) {
  const std::vector<double> u = gathered(boundary);
  for (std::size_t i = 0; i < u.size(); ++i) moved_[i] = places_[i] + u[i];
  displacement = spread(u, rotation_.turns(moved_));
  return Evaluation::success(0);
}

template <int Dim>
Evaluation InverseDistanceMotion<Dim>::jvp(const std::vector<double>& boundary_dot, std::vector<double>& x_dot) {
  const std::vector<double> u_dot = gathered(boundary_dot);
  std::vector<Dual<double, 1>> places(moved_.begin(), moved_.end());
  for (std::size_t i = 0; i < places.size(); ++i) places[i].grad[0] = u_dot[i];
  std::vector<double> turns_dot;
  for (const Dual<double, 1>& m : rotation_.turns(places)) turns_dot.push_back(m.grad[0]);
  x_dot = spread(u_dot, turns_dot);
  return Evaluation::success(0);
}

template <int Dim>
Evaluation InverseDistanceMotion<Dim>::vjp(const std::vector<double>& x_bar, std::vector<double>& boundary_bar) {
  std::vector<double> u_bar(places_.size(), 0.0), turns_bar(areas_.size() * n_matrix, 0.0);
  collect(x_bar, u_bar, turns_bar);
  rotation_.turns_vjp(moved_, turns_bar, u_bar);  // linear in turns_bar: ranks may add their shares
  boundary_bar = to_owners(std::move(u_bar));
  return Evaluation::success(0);
}

template <int Dim>
Evaluation InverseDistanceMotion<Dim>::vjp_tangent(const std::vector<double>& boundary_dot, const std::vector<double>& x_bar,
                                                   const std::vector<double>& x_bar_dot, std::vector<double>& boundary_bar_dot) {
  using D = Dual<double, 1>;
  const std::vector<double> u_dot = gathered(boundary_dot);
  std::vector<double> u_bar(places_.size(), 0.0), turns_bar(areas_.size() * n_matrix, 0.0), u_bar_dot = u_bar, turns_bar_dot = turns_bar;
  collect(x_bar, u_bar, turns_bar);
  collect(x_bar_dot, u_bar_dot, turns_bar_dot);
  std::vector<D> places(moved_.begin(), moved_.end()), bars(turns_bar.begin(), turns_bar.end()), out(places_.size(), D(0.0));
  for (std::size_t i = 0; i < places.size(); ++i) places[i].grad[0] = u_dot[i];
  for (std::size_t i = 0; i < bars.size(); ++i) bars[i].grad[0] = turns_bar_dot[i];
  rotation_.turns_vjp(places, bars, out);
  for (std::size_t i = 0; i < out.size(); ++i) u_bar_dot[i] += out[i].grad[0];
  boundary_bar_dot = to_owners(std::move(u_bar_dot));
  return Evaluation::success(0);
}

template class InverseDistanceMotion<2>;
template class InverseDistanceMotion<3>;

}  // namespace invar
