#include "libfluid/fsi/still_nodes.hpp"

#include <algorithm>

#include "libfem/mesh/boundary_facets.hpp"
#include "libfem/mesh/region_flags.hpp"

namespace invar {

std::vector<int> still_nodes(const DofMap& dofs, const std::string& fluid, const std::vector<std::string>& bodies,
                             const std::vector<std::string>& moving) {
  const Mesh& mesh = dofs.mesh();
  const std::vector<char> in_fluid = members_in(mesh.cells, *mesh.find_region(fluid)), in_body = nodes_in(mesh, bodies);
  std::vector<std::vector<char>> moves;
  for (const std::string& name : moving)
    if (const Region* region = mesh.find_region(name); region && region->dim == mesh.dim - 1) moves.push_back(members_in(mesh.facets, *region));
  // A rank has all facets at its own nodes; flags of ghosts are received.
  const DofMap flags(dofs.mesh_pointer(), {{"still", dofs.components()[0].order}}, dofs.comm());
  VecHandle still = flags.create_vector();
  double* a = nullptr;
  check(VecGetArray(still, &a));
  for (const BoundaryFacet& facet : boundary_facets(mesh)) {
    const int cell = std::max(facet.sides[0].cell, facet.sides[1].cell);
    if (!facet.exterior || cell < 0 || !in_fluid[cell]) continue;
    const auto in = [&](const std::vector<char>& region) { return std::ranges::any_of(facet.positions, [&](int p) { return region[p] != 0; }); };
    if (std::ranges::any_of(moves, in)) continue;
    for (const int node : facet.nodes)
      if (node < mesh.n_owned_nodes && !in_body[node]) a[flags.dof(node, 0)] = 1;
  }
  check(VecRestoreArray(still, &a));
  const LocalArray everywhere(still);
  std::vector<int> nodes;
  for (int node = 0; node < mesh.node_total(); ++node)
    if (everywhere.data()[flags.dof(node, 0)] > 0) nodes.push_back(node);
  return nodes;
}

}  // namespace invar
