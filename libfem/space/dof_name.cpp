#include "libfem/space/dof_name.hpp"

#include <algorithm>
#include <sstream>

namespace invar {

std::string dof_name(const DofMap& dofs, long long global) {
  const Mesh& mesh = dofs.mesh();
  std::string name;
  const long long local = global - dofs.global_offset();
  int rank = 0, owner = -1;
  MPI_Comm_rank(dofs.comm(), &rank);
  if (local >= 0 && local < dofs.n_owned()) {
    int node = 0;
    while (dofs.first_dof(node + 1) <= local) ++node;
    std::ostringstream text;
    text << dofs.components()[dofs.component_at(node, static_cast<int>(local) - dofs.first_dof(node))].name << " at (";
    for (int i = 0; i < mesh.dim; ++i) text << (i ? ", " : "") << mesh.coordinates[std::size_t(node) * mesh.dim + i];
    text << ")";
    for (const Region& region : mesh.regions)
      if (region.dim < mesh.dim && std::find(region.nodes.begin(), region.nodes.end(), node) != region.nodes.end())
        text << ", region '" << region.name << "'";
    name = text.str();
    owner = rank;
  }
  MPI_Allreduce(MPI_IN_PLACE, &owner, 1, MPI_INT, MPI_MAX, dofs.comm());
  if (owner < 0) return "unknown " + std::to_string(global);
  int size = static_cast<int>(name.size());
  MPI_Bcast(&size, 1, MPI_INT, owner, dofs.comm());
  name.resize(size);
  MPI_Bcast(name.data(), size, MPI_CHAR, owner, dofs.comm());
  return name;
}

}  // namespace invar
