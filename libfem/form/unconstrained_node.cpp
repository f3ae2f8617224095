#include "libfem/form/unconstrained_node.hpp"

#include <algorithm>
#include <array>

namespace invar {
namespace {

constexpr int nothing = 1 << 30;

/// Region (of facets or points) and component encoded in one number, of which ranks take the minimum.
int first_loose(const FormResidual& residual) {
  const DofMap& dofs = residual.dofs();
  const Mesh& mesh = dofs.mesh();
  std::vector<char> has_cell(mesh.node_total(), 0);
  for (const CellBlock& block : mesh.cells)
    for (const int node : block.nodes) has_cell[node] = 1;
  int first = nothing;
  const int n_regions = static_cast<int>(mesh.regions.size()), n_components = dofs.n_components();
  for (int node = 0; node < mesh.n_owned_nodes; ++node)
    for (int c = 0; c < n_components && !has_cell[node]; ++c) {
      const int dof = dofs.dof(node, c);
      if (dof < 0 || residual.held_unknowns()[dof]) continue;
      int r = 0;
      while (r < n_regions && ((mesh.regions[r].dim != mesh.dim - 1 && mesh.regions[r].dim != 0) || !std::ranges::binary_search(mesh.regions[r].nodes, node))) ++r;
      first = std::min(first, r * n_components + c);
    }
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, dofs.comm());
  return first;
}

}  // namespace

std::optional<UnconstrainedNode> find_unconstrained_node(const FormResidual& residual) {
  const int first = first_loose(residual), n = residual.dofs().n_components();
  if (first == nothing) return std::nullopt;
  const std::vector<Region>& regions = residual.dofs().mesh().regions;
  const std::size_t r = std::size_t(first / n);
  return UnconstrainedNode{r < regions.size() ? regions[r].name : "", residual.dofs().components()[first % n].name};
}

}  // namespace invar
