#include "libfem/mesh/boundary_facets.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "libfem/mesh/cell_facets.hpp"
#include "libfem/mesh/node_cells.hpp"

namespace invar {

std::vector<std::vector<unsigned char>> exterior_facets(const Mesh& mesh) {
  const NodeCells incidence(mesh);
  std::vector<std::vector<unsigned char>> exterior;
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    const auto facets = facets_of(mesh.cells[b].type.shape);
    auto& of_block = exterior.emplace_back(mesh.cells[b].count(), 0);
    for (int c = 0; c < mesh.cells[b].count(); ++c) {
      const int cell = incidence.first_cell(static_cast<int>(b)) + c;
      for (std::size_t f = 0; f < facets.size(); ++f) {
        const std::vector<int> v = facet_vertices(facets[f], incidence.nodes_of(cell));
        const auto beyond = [&](int other) { return other != cell && has_all(incidence.nodes_of(other), v); };
        if (std::ranges::none_of(incidence.cells_of(v[0]), beyond)) of_block[c] |= static_cast<unsigned char>(1u << f);
      }
    }
  }
  return exterior;
}

std::vector<BoundaryFacet> boundary_facets(const Mesh& mesh) {
  const NodeCells incidence(mesh);
  std::vector<BoundaryFacet> found;
  std::map<VertexKey, std::size_t> place;
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    const CellType type = mesh.cells[b].type;
    const auto facets = facets_of(type.shape);
    const auto on = nodes_on_facets(type);
    for (int c = 0; c < mesh.cells[b].count(); ++c) {
      if (mesh.exterior[b][c] == 0) continue;
      const int cell = incidence.first_cell(static_cast<int>(b)) + c;
      const auto nodes = incidence.nodes_of(cell);
      for (std::size_t f = 0; f < facets.size(); ++f) {
        if (!(mesh.exterior[b][c] >> f & 1)) continue;
        place[vertex_key(facet_vertices(facets[f], nodes))] = found.size();
        BoundaryFacet& facet = found.emplace_back();
        facet.sides[0] = {cell, static_cast<int>(f)};
        for (int a : on[f]) facet.nodes.push_back(nodes[a]);
      }
    }
  }
  int first = 0;
  for (const CellBlock& block : mesh.facets) {
    const int n = node_count(block.type), n_vertices = vertex_count(block.type.shape);
    for (int e = 0; e < block.count(); ++e) {
      const std::span nodes(block.nodes.data() + std::size_t(e) * n, std::size_t(n));
      const VertexKey key = vertex_key(nodes.first(n_vertices));
      if (const auto known = place.find(key); known != place.end()) {
        found[known->second].positions.push_back(first + e);
        continue;
      }
      BoundaryFacet inside{{}, {nodes.begin(), nodes.end()}, {first + e}, false};
      int n_sides = 0;
      for (const int cell : incidence.cells_of(nodes[0])) {
        const auto of_cell = incidence.nodes_of(cell);
        const auto facets = facets_of(mesh.cells[incidence.block_of(cell)].type.shape);
        for (std::size_t f = 0; f < facets.size() && n_sides < 2; ++f)
          if (vertex_key(facet_vertices(facets[f], of_cell)) == key) inside.sides[n_sides++] = {cell, static_cast<int>(f)};
      }
      place[key] = found.size();
      found.push_back(std::move(inside));
    }
    first += block.count();
  }
  return found;
}

}  // namespace invar
