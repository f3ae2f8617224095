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

}  // namespace

void prolong_linear(const DofMap& linear, Vec coarse, const DofMap& dofs, Vec u) {
  const auto same = [](const Component& a, const Component& b) { return a.name == b.name && a.order == 1; };
  if (&linear.mesh() != &dofs.mesh() ||
      !std::equal(linear.components().begin(), linear.components().end(), dofs.components().begin(),
                  dofs.components().end(), same))
    throw std::invalid_argument("prolongation from linear elements: not the same mesh and components");
  const Mesh& mesh = dofs.mesh();
  const LocalArray from(coarse);
  double* to = nullptr;
  check(VecGetArray(u, &to));
  for (const CellBlock& block : mesh.cells) {
    const std::vector<double> N = linear_shapes(block.type);
    const int n = node_count(block.type), n_vertices = node_count({block.type.shape, 1});
    for (int cell = 0; cell < block.count(); ++cell) {
      const int* nodes = &block.nodes[std::size_t(cell) * n];
      for (int a = 0; a < n; ++a) {
        if (nodes[a] >= mesh.n_owned_nodes) continue;
        for (int c = 0; c < dofs.dof_count(nodes[a]); ++c) {
          double sum = 0;
          for (int v = 0; v < n_vertices; ++v) sum += N[std::size_t(a) * n_vertices + v] * from.data()[linear.dof(nodes[v], c)];
          to[dofs.dof(nodes[a], c)] = sum;
        }
      }
    }
  }
  check(VecRestoreArray(u, &to));
}

}  // namespace invar
