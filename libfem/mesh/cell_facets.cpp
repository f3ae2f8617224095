#include "libfem/mesh/cell_facets.hpp"

#include <algorithm>
#include <cmath>

namespace invar {

VertexKey vertex_key(std::span<const int> vertices) {
  VertexKey key{-1, -1, -1, -1};
  std::ranges::copy(vertices, key.begin());
  std::ranges::sort(key);
  return key;
}

std::vector<int> facet_vertices(const ReferenceFacet& facet, std::span<const int> of_cell) {
  std::vector<int> v(vertex_count(facet.shape));
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = of_cell[facet.vertices[i]];
  return v;
}

bool has_all(std::span<const int> nodes, std::span<const int> wanted) {
  return std::ranges::all_of(wanted, [&](int v) { return std::ranges::find(nodes, v) != nodes.end(); });
}

std::vector<std::vector<int>> nodes_on_facets(CellType type) {
  const std::vector<double> x = reference_nodes(type);
  const int dim = dimension_of(type.shape);
  std::vector<std::vector<int>> on;
  for (const ReferenceFacet& f : facets_of(type.shape)) {
    const auto edge = [&](int to, int i) { return x[f.vertices[to] * dim + i] - x[f.vertices[0] * dim + i]; };
    std::array<double, 3> n{};
    if (dim == 2) {
      n = {edge(1, 1), -edge(1, 0), 0};
    } else {
      const int last = vertex_count(f.shape) - 1;
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = edge(1, j) * edge(last, k) - edge(1, k) * edge(last, j);
      }
    }
    auto& nodes = on.emplace_back();
    for (int a = 0; a < node_count(type); ++a) {
      double height = 0;
      for (int i = 0; i < dim; ++i) height += n[i] * (x[a * dim + i] - x[f.vertices[0] * dim + i]);
      if (std::abs(height) < 1e-12) nodes.push_back(a);
    }
  }
  return on;
}

}  // namespace invar
