#include "libfem/mesh/facet_parents.hpp"

#include <algorithm>

#include "libfem/mesh/reference_element.hpp"

namespace invar {

FacetParent find_parent(const Mesh& mesh, const NodeCells& incidence, Shape shape,
                        std::span<const int> nodes, const std::function<bool(int cell)>& accepts) {
  const int n = vertex_count(shape);
  for (int cell : incidence.cells_of(nodes[0])) {
    if (accepts && !accepts(cell)) continue;
    const auto of_cell = incidence.nodes_of(cell);
    const auto in_cell = [&](int node) {
      return std::ranges::find(of_cell, node) != of_cell.end();
    };
    if (!std::ranges::all_of(nodes, in_cell)) continue;
    const int block = incidence.block_of(cell);
    const auto facets = facets_of(mesh.cells[block].type.shape);
    for (size_t f = 0; f < facets.size(); ++f) {
      if (facets[f].shape != shape) continue;
      const auto vertex = [&](int i) { return of_cell[facets[f].vertices[i % n]]; };
      int first = 0;
      while (first < n && vertex(first) != nodes[0]) ++first;
      if (first == n) continue;
      // compares the cyclic order from here on in both orientations
      bool same = true, opposite = true;
      for (int i = 0; i < n; ++i) {
        same = same && nodes[i] == vertex(first + i);
        opposite = opposite && nodes[i] == vertex(first + n - i);
      }
      if (n == 2) same = first == 0 && same, opposite = first == 1 && opposite;
      if (same || opposite)
        return {block, cell - incidence.first_cell(block), static_cast<int>(f), same};
    }
  }
  return {};
}

}  // namespace invar
