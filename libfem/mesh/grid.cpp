#include "libfem/mesh/grid.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libfem/mesh/boxes.hpp"

namespace invar {

Mesh make_grid(const std::vector<double>& x, const std::vector<double>& y, Shape shape) {
  if (x.size() < 2 || y.size() < 2) throw std::invalid_argument("a grid needs at least one cell in each direction");
  const int nx = static_cast<int>(x.size()) - 1, ny = static_cast<int>(y.size()) - 1;
  Mesh mesh = make_rectangle(0, 0, nx, ny, nx, ny, shape);
  for (std::size_t k = 0; k < mesh.coordinates.size(); k += 2) {
    mesh.coordinates[k] = x[std::lround(mesh.coordinates[k])];
    mesh.coordinates[k + 1] = y[std::lround(mesh.coordinates[k + 1])];
  }
  return mesh;
}

void add_side_part(Mesh& mesh, const std::string& name, const std::string& of, double low, double high) {
  if (mesh.find_region(name)) throw std::invalid_argument("the mesh already has a region '" + name + "'");
  const Region side = *mesh.find_region(of);
  const int axis = of == "left" || of == "right" ? 1 : 0;
  Region part{name, side.dim, std::vector<std::vector<int>>(side.members.size()), {}};
  for (std::size_t b = 0; b < side.members.size(); ++b) {
    const CellBlock& block = mesh.facets[b];
    const int n = node_count(block.type);
    for (const int facet : side.members[b]) {
      const int* nodes = &block.nodes[std::size_t(facet) * n];
      const auto inside = [&](int node) {
        const double at = mesh.coordinates[std::size_t(node) * mesh.dim + axis], slack = 1e-12 * (std::abs(low) + std::abs(high));
        return at >= low - slack && at <= high + slack;
      };
      if (!std::all_of(nodes, nodes + n, inside)) continue;
      part.members[b].push_back(facet);
      part.nodes.insert(part.nodes.end(), nodes, nodes + n);
    }
  }
  std::ranges::sort(part.nodes);
  part.nodes.erase(std::ranges::unique(part.nodes).begin(), part.nodes.end());
  mesh.regions.push_back(std::move(part));
}

}  // namespace invar
