#include "libfluid/mesh_motion/still_boundary.hpp"

#include <algorithm>

#include "libadjoint/petsc.hpp"
#include "libfem/form/local_access.hpp"
#include "libfem/mesh/mark_interface.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

std::shared_ptr<const Mesh> with_still_boundary(const Mesh& mesh, MPI_Comm comm, const std::vector<std::string>& others,
                                                const std::string& name) {
  auto more = std::make_shared<Mesh>(mesh);
  Region still{name, mesh.dim - 1, std::vector<std::vector<int>>(mesh.facets.size()), {}};
  std::vector<char> holds(mesh.node_total(), 0);
  for (std::size_t b = 0; b < mesh.facets.size(); ++b) {
    const CellBlock& block = mesh.facets[b];
    const int n = node_count(block.type);
    std::vector<char> named(block.count(), 0), other(block.count(), 0);
    for (const Region& region : mesh.regions) {
      if (region.dim != mesh.dim - 1 || is_interface(region)) continue;
      auto& flags = std::ranges::find(others, region.name) != others.end() ? other : named;
      for (const int facet : region.members[b]) flags[facet] = 1;
    }
    for (int facet = 0; facet < block.count(); ++facet)
      if (named[facet] && !other[facet]) still.members[b].push_back(facet);
    for (const int facet : still.members[b])
      for (int a = 0; a < n; ++a) holds[block.nodes[std::size_t(facet) * n + a]] = 1;
  }
  int order = 1;
  for (const CellBlock& block : mesh.cells) order = std::max(order, block.type.order);
  const auto dofs = std::make_shared<const DofMap>(std::shared_ptr<const Mesh>(more), std::vector<Component>{{"still", order}}, comm);
  VecHandle flags = dofs->create_vector();
  double* a = nullptr;
  check(VecGetArray(flags, &a));
  for (int node = 0; node < mesh.n_owned_nodes; ++node) a[dofs->dof(node, 0)] = holds[node];
  check(VecRestoreArray(flags, &a));
  const LocalArray everywhere(flags);
  for (int node = 0; node < mesh.node_total(); ++node)
    if (everywhere.data()[dofs->dof(node, 0)] > 0) still.nodes.push_back(node);
  more->regions.push_back(std::move(still));
  return more;
}

}  // namespace invar
