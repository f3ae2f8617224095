#include "libfem/objective/nodal_extremum.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace invar {

NodalExtremum nodal_extremum(const DofMap& dofs, Vec u, const double* coordinates, const std::string& name,
                             int component, bool greatest) {
  const Mesh& mesh = dofs.mesh();
  const Region* region = name.empty() ? nullptr : mesh.find_region(name);
  if (!name.empty() && !region) throw std::invalid_argument("the mesh has no region '" + name + "'");
  std::vector<int> nodes(mesh.n_owned_nodes);
  std::iota(nodes.begin(), nodes.end(), 0);
  if (region) nodes = region->nodes;

  const LocalArray local(u);
  const double sign = greatest ? 1 : -1;
  double best = -std::numeric_limits<double>::infinity();
  int at = -1, me = 0;
  MPI_Comm_rank(dofs.comm(), &me);
  for (const int node : nodes) {
    const int dof = node < mesh.n_owned_nodes ? dofs.dof(node, component) : -1;
    if (dof < 0) continue;
    const double v = sign * local.data()[dof];
    if (at >= 0 && !(v > best || (v == best && mesh.original_node[node] < mesh.original_node[at]))) continue;
    best = v, at = node;
  }
  // First the value, then among the ranks with this value the lowest node.
  double value = best;
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, dofs.comm());
  const bool mine = at >= 0 && best == value;
  long long first = mine ? mesh.original_node[at] : std::numeric_limits<long long>::max();
  const long long candidate = first;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_LONG_LONG, MPI_MIN, dofs.comm());
  if (std::isinf(value)) return {std::numeric_limits<double>::quiet_NaN(), {}};
  NodalExtremum found{sign * value, {}};
  int owner = mine && candidate == first ? me : -1;
  MPI_Allreduce(MPI_IN_PLACE, &owner, 1, MPI_INT, MPI_MAX, dofs.comm());
  if (owner == me)
    for (int i = 0; i < mesh.dim; ++i) found.x[i] = coordinates[std::size_t(at) * mesh.dim + i];
  MPI_Bcast(found.x.data(), 3, MPI_DOUBLE, owner, dofs.comm());
  return found;
}

}  // namespace invar
