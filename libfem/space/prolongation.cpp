#include "libfem/space/prolongation.hpp"

#include <algorithm>
#include <stdexcept>

#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

/// Linear shape functions at all nodes of a cell, [node][vertex].
std::vector<double> linear_shapes(CellType type) {
  const CellType straight{type.shape, 1};
  const std::vector<double> xi = reference_nodes(type);
  const int n = node_count(type), n_vertices = node_count(straight), dim = dimension_of(type.shape);
  std::vector<double> N(std::size_t(n) * n_vertices);
  for (int a = 0; a < n; ++a) shape_values(straight, &xi[std::size_t(a) * dim], &N[std::size_t(a) * n_vertices]);
  return N;
}

/// Flags of the local unknowns, including ghosts, that are in this list of own unknowns.
std::vector<char> flags_of(const DofMap& dofs, std::span<const int> own) {
  VecHandle marks = dofs.create_vector();
  double* a = nullptr;
  check(VecGetArray(marks, &a));
  for (const int i : own) a[i] = 1;
  check(VecRestoreArray(marks, &a));
  const LocalArray all(marks);
  return {all.data(), all.data() + dofs.n_local()};
}

}  // namespace

MatHandle prolongation_from_linear(const DofMap& linear, const DofMap& dofs, std::span<const int> constrained) {
  const auto same = [](const Component& a, const Component& b) { return a.name == b.name && a.order == 1 && a.region == b.region && a.in_cells == b.in_cells; };
  if (&linear.mesh() != &dofs.mesh() ||
      !std::equal(linear.components().begin(), linear.components().end(), dofs.components().begin(),
                  dofs.components().end(), same))
    throw std::invalid_argument("prolongation from linear elements: not the same mesh and components");
  const auto global = [](const DofMap& map, int node, int dof) { return map.global_dof(node) + dof - map.first_dof(node); };
  const Mesh& mesh = dofs.mesh();
  const std::vector<char> held = flags_of(dofs, constrained);
  MatHandle P;
  check(MatCreate(dofs.comm(), P.out()));
  check(MatSetSizes(P, dofs.n_owned(), linear.n_owned(), PETSC_DETERMINE, PETSC_DETERMINE));
  check(MatSetBlockSizes(P, dofs.block_size(), linear.block_size()));
  check(MatSetType(P, MATAIJ));
  constexpr int most = 8;  // vertices of a hexahedron
  check(MatSeqAIJSetPreallocation(P, most, nullptr));
  check(MatMPIAIJSetPreallocation(P, most, nullptr, most, nullptr));
  std::vector<char> done(mesh.n_owned_nodes, 0);
  const auto visit = [&](const CellBlock& block) {
    const std::vector<double> N = linear_shapes(block.type);
    const int n = node_count(block.type), n_vertices = node_count({block.type.shape, 1});
    for (int cell = 0; cell < block.count(); ++cell) {
      const int* nodes = &block.nodes[std::size_t(cell) * n];
      for (int a = 0; a < n; ++a) {
        const int node = nodes[a];
        if (node >= mesh.n_owned_nodes || done[node]) continue;
        done[node] = 1;
        for (int c = 0; c < dofs.n_components(); ++c) {
          const int row = dofs.dof(node, c);
          if (row < 0) continue;
          const bool fixed = held[row];
          for (int v = 0; v < n_vertices; ++v) {
            const double value = N[std::size_t(a) * n_vertices + v];
            const bool itself = nodes[v] == node;
            const int coarse = value != 0 ? linear.dof(nodes[v], c) : -1;
            if (coarse < 0 || (!itself && (fixed || held[dofs.dof(nodes[v], c)]))) continue;
            check(MatSetValue(P, PetscInt(global(dofs, node, row)), PetscInt(global(linear, nodes[v], coarse)), value, INSERT_VALUES));
          }
        }
      }
    }
  };
  std::ranges::for_each(mesh.cells, visit);
  std::ranges::for_each(mesh.facets, visit);  // of surfaces without cells
  check(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
  return P;
}

MatHandle prolongation_from_linear(const DofMap& dofs, std::span<const int> constrained) {
  std::vector<Component> linear = dofs.components();
  for (Component& c : linear) c.order = 1;
  return prolongation_from_linear(DofMap(dofs.mesh_pointer(), std::move(linear), dofs.comm()), dofs, constrained);
}

}  // namespace invar
