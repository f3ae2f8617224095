#include "libfem/mesh/mark_cells.hpp"

#include <algorithm>
#include <stdexcept>

namespace invar {

void mark_cells(Mesh& mesh, const std::string& name, const std::function<bool(double x, double y, double z)>& inside) {
  if (mesh.find_region(name)) throw std::invalid_argument("the mesh already has a region '" + name + "'");
  Region region{name, mesh.dim, {}, {}};
  for (const CellBlock& block : mesh.cells) {
    const int n = node_count(block.type), vertices = vertex_count(block.type.shape);
    std::vector<int>& members = region.members.emplace_back();
    for (int c = 0; c < block.count(); ++c) {
      const int* nodes = &block.nodes[std::size_t(c) * n];
      double x[3] = {};
      for (int a = 0; a < vertices; ++a)
        for (int i = 0; i < mesh.dim; ++i) x[i] += mesh.coordinates[std::size_t(nodes[a]) * mesh.dim + i] / vertices;
      if (!inside(x[0], x[1], x[2])) continue;
      members.push_back(c);
      region.nodes.insert(region.nodes.end(), nodes, nodes + n);
    }
  }
  if (region.nodes.empty()) throw std::invalid_argument("no cell has its middle in '" + name + "'");
  std::ranges::sort(region.nodes);
  region.nodes.erase(std::unique(region.nodes.begin(), region.nodes.end()), region.nodes.end());
  mesh.regions.push_back(std::move(region));
}

}  // namespace invar
