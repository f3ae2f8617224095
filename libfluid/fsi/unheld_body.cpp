#include "libfluid/fsi/unheld_body.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "libfem/mechanism/twist.hpp"
#include "libfem/mesh/all_gather.hpp"
#include "libfem/mesh/region_flags.hpp"

namespace invar {
namespace {

/// A serial number of each local node's connected group of cells in the regions; −1: it is in none. Collective.
std::vector<long long> connected_groups(const Mesh& mesh, const std::vector<std::string>& regions, MPI_Comm comm) {
  std::vector<long long> mine;  // pairs of nodes of a cell
  for (const std::string& name : regions) {
    const std::vector<char> member = members_in(mesh.cells, *mesh.find_region(name));
    std::size_t cell = 0;
    for (const CellBlock& block : mesh.cells) {
      const int n = node_count(block.type);
      for (int c = 0; c < block.count(); ++c, ++cell)
        for (int a = 0; member[cell] && c < block.n_owned && a < n; ++a)
          for (const int b : {0, a}) mine.push_back(mesh.original_node[block.nodes[std::size_t(c) * n + b]]);
    }
  }
  std::map<long long, long long> parent;
  const auto root = [&](long long node) {
    parent.try_emplace(node, node);
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
  };
  const std::vector<long long> all = all_gather(mine, MPI_LONG_LONG, comm);
  for (std::size_t k = 0; k < all.size(); k += 2) {
    const auto [low, high] = std::minmax({root(all[k]), root(all[k + 1])});
    parent[high] = low;
  }
  std::vector<long long> group;
  for (const long long node : mesh.original_node) group.push_back(parent.contains(node) ? root(node) : -1);
  return group;
}

/// A group's motions as columns of what resists them: forces relative to those of a deformation, and prescribed displacements.
class RigidMotions {
 public:
  RigidMotions(FormResidual& residual, const std::vector<int>& velocity, const std::vector<int>& displacement, std::vector<int> nodes, double load_parameter)
      : residual_(residual), velocity_(velocity), displacement_(displacement), nodes_(std::move(nodes)), given_(residual.given(load_parameter)) {
    const Mesh& mesh = residual.dofs().mesh();
    std::array<double, 4> sums{};
    for (const int node : nodes_)
      if (node < mesh.n_owned_nodes) {
        for (int i = 0; i < mesh.dim; ++i) sums[i] += mesh.coordinates[std::size_t(node) * mesh.dim + i];
        ++sums[3];
      }
    sum_up(sums);
    for (int i = 0; i < mesh.dim; ++i) centre_[i] = sums[i] / sums[3];
    for (const int node : nodes_)
      for (int i = 0; i < mesh.dim; ++i) radius_ = std::max(radius_, std::abs(mesh.coordinates[std::size_t(node) * mesh.dim + i] - centre_[i]));
    MPI_Allreduce(MPI_IN_PLACE, &radius_, 1, MPI_DOUBLE, MPI_MAX, residual.comm());
  }

  /// Those that nothing resists, in words; empty: none.
  std::string free() const {
    const Mesh& mesh = residual_.dofs().mesh();
    const double deforming = size_of(column([&](int node, int i) { return std::sin(1.0 + double(mesh.original_node[node]) * mesh.dim + i) > 0 ? 1.0 : -1.0; }, 1));
    std::vector<Twist> basis;
    for (int i = 0; i < mesh.dim; ++i) basis.emplace_back().velocity[i] = 1;
    for (int i = mesh.dim == 2 ? 2 : 0; i < 3; ++i) basis.emplace_back().spin[i] = 1 / radius_;
    constexpr double round_off = 1e-11;  // of forces that cancel, relative to those of a deformation
    std::vector<std::vector<double>> resisted;
    std::vector<Twist> held, loose;
    for (Twist motion : basis) {
      std::vector<double> resistance = column([&](int node, int i) { return displacement_of(motion, node, i); }, 1 / deforming);
      for (std::size_t k = 0; k < resisted.size(); ++k) {
        const double along = product(resistance, resisted[k]);
        for (std::size_t j = 0; j < resistance.size(); ++j) resistance[j] -= along * resisted[k][j];
        for (int i = 0; i < 3; ++i) motion.velocity[i] -= along * held[k].velocity[i], motion.spin[i] -= along * held[k].spin[i];
      }
      const double left = size_of(resistance);
      if (left <= round_off) {
        loose.push_back(motion);
        continue;
      }
      for (double& r : resistance) r /= left;
      for (int i = 0; i < 3; ++i) motion.velocity[i] /= left, motion.spin[i] /= left;
      resisted.push_back(std::move(resistance)), held.push_back(motion);
    }
    return motions_text(std::move(loose), centre_, mesh.dim);
  }

 private:
  template <class Numbers>
  void sum_up(Numbers& numbers) const { MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE, MPI_SUM, residual_.comm()); }
  double product(const std::vector<double>& a, const std::vector<double>& b) const {
    std::array sum{std::inner_product(a.begin(), a.end(), b.begin(), 0.0)};
    sum_up(sum);
    return sum[0];
  }
  double size_of(const std::vector<double>& a) const { return std::sqrt(product(a, a)); }

  double displacement_of(const Twist& motion, int node, int i) const {
    const Mesh& mesh = residual_.dofs().mesh();
    const auto arm = [&](int k) { return k < mesh.dim ? mesh.coordinates[std::size_t(node) * mesh.dim + k] - centre_[k] : 0.0; };
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    return motion.velocity[i] + motion.spin[j] * arm(k) - motion.spin[k] * arm(j);
  }

  /// Forces times a factor in the rows of the group's velocities, then prescribed displacements. d: displacement by node and axis.
  template <class Displacement>
  std::vector<double> column(Displacement d, double factor) const {
    const DofMap& dofs = residual_.dofs();
    const VecHandle rest = residual_.create_vector(), u_dot = residual_.create_vector(), force = residual_.create_vector();
    std::vector<double> all;
    std::vector<int> rows;
    double* a = nullptr;
    check(VecGetArray(u_dot, &a));
    for (const int node : nodes_)
      for (std::size_t i = 0; i < displacement_.size(); ++i)
        if (const int dof = dofs.dof(node, displacement_[i]); dof >= 0 && dof < dofs.n_owned()) {
          a[dof] = d(node, static_cast<int>(i));
          if (std::ranges::binary_search(residual_.constrained_rows(), dof)) all.push_back(a[dof]);
          rows.push_back(dofs.dof(node, velocity_[i]));
        }
    check(VecRestoreArray(u_dot, &a));
    residual_.raw_jvp({State(rest), given_}, State(u_dot), nullptr, force);
    const double* f = nullptr;
    check(VecGetArrayRead(force, &f));
    for (const int row : rows) all.push_back(factor * f[row]);
    check(VecRestoreArrayRead(force, &f));
    return all;
  }

  FormResidual& residual_;
  const std::vector<int>&velocity_, &displacement_;
  std::vector<int> nodes_;  // local
  Setting given_;
  std::array<double, 3> centre_{};
  double radius_ = 0;
};

}  // namespace

std::optional<UnheldBody> find_unheld_body(FormResidual& residual, const std::vector<std::string>& regions, const std::vector<int>& velocity,
                                           const std::vector<int>& displacement, double load_parameter) {
  const Mesh& mesh = residual.dofs().mesh();
  const std::vector<long long> group = connected_groups(mesh, regions, residual.comm());
  const std::vector<long long> all = all_gather(std::vector<long long>(group.begin(), group.begin() + mesh.n_owned_nodes), MPI_LONG_LONG, residual.comm());
  for (const long long one : std::set<long long>(all.begin(), all.end())) {
    if (one < 0) continue;
    std::vector<int> nodes;
    for (int node = 0; node < mesh.node_total(); ++node)
      if (group[node] == one) nodes.push_back(node);
    const std::string motions = RigidMotions(residual, velocity, displacement, nodes, load_parameter).free();
    if (motions.empty()) continue;
    for (const std::string& region : regions) {
      int in = std::ranges::any_of(mesh.find_region(region)->nodes, [&](int node) { return group[node] == one; });
      MPI_Allreduce(MPI_IN_PLACE, &in, 1, MPI_INT, MPI_MAX, residual.comm());
      if (in) return UnheldBody{region, motions};
    }
  }
  return std::nullopt;
}

}  // namespace invar
