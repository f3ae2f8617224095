#pragma once
#include <vector>

#include "libfem/mesh/layers.hpp"
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Centres (means of the vertices) of this rank's cells, ghosts included, [cell × 3], m; all blocks in turn.
inline std::vector<double> cell_centres(const Mesh& mesh) {
  std::vector<double> x;
  for (const CellBlock& block : mesh.cells) {
    const int n = node_count(block.type), corners = vertex_count(block.type.shape);
    for (int c = 0; c < block.count(); ++c) {
      x.resize(x.size() + 3, 0.0);
      for (int a = 0; a < corners; ++a)
        for (int i = 0; i < mesh.dim; ++i)
          x[x.size() - 3 + i] += mesh.coordinates[std::size_t(block.nodes[std::size_t(c) * n + a]) * mesh.dim + i] / corners;
    }
  }
  return x;
}

/// Centres of the given cells, [cells × 3], m.
inline std::vector<double> cell_centres(const Mesh& mesh, const std::vector<int>& cells) {
  const std::vector<double> all = cell_centres(mesh);
  std::vector<double> x;
  for (const int c : cells) x.insert(x.end(), all.begin() + std::ptrdiff_t(3) * c, all.begin() + std::ptrdiff_t(3) * (c + 1));
  return x;
}

/// The given cells in the order of `order_by_rows`.
inline std::vector<int> cells_by_rows(const Mesh& mesh, const std::vector<int>& cells) {
  std::vector<int> ordered;
  for (const int k : order_by_rows(cell_centres(mesh, cells), 3)) ordered.push_back(cells[k]);
  return ordered;
}

}  // namespace invar
