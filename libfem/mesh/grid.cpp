#include "libfem/mesh/grid.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libadjoint/number_text.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/cell_quality.hpp"

namespace invar {

Mesh make_lattice(int columns, int rows, Shape shape) { return make_rectangle(0, 0, columns, rows, columns, rows, shape); }

void add_side_part(Mesh& mesh, const std::string& name, const std::string& of, int low, int high) {
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
        const double at = mesh.coordinates[std::size_t(node) * mesh.dim + axis];
        return at >= low - 0.25 && at <= high + 0.25;
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

void place_lines(Mesh& lattice, const GridAxis& x, const GridAxis& y) {
  for (std::size_t k = 0; k < lattice.coordinates.size(); k += 2) {
    lattice.coordinates[k] = x.at(lattice.coordinates[k]);
    lattice.coordinates[k + 1] = y.at(lattice.coordinates[k + 1]);
  }
}

void require_upright_cells(const Mesh& mesh, const std::string& by) {
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    const std::vector<double> quality = scaled_jacobians(mesh, static_cast<int>(b));
    const auto bad = std::ranges::find_if(quality, [](double q) { return !(q > 0); });
    if (bad == quality.end()) continue;
    const CellBlock& cells = mesh.cells[b];
    const double* at = &mesh.coordinates[std::size_t(mesh.dim) * cells.nodes[(bad - quality.begin()) * node_count(cells.type)]];
    throw std::invalid_argument(by + " turns the cell at (" + number_text(at[0]) + ", " + number_text(at[1]) + ") inside out");
  }
}

}  // namespace invar
