#include "libfem/mesh/boundary_facets.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "libfem/mesh/node_cells.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

using FacetKey = std::array<int, 4>;  // vertices, ascending, −1 in unused places at the front

FacetKey key_of(std::span<const int> vertices) {
  FacetKey key{-1, -1, -1, -1};
  std::ranges::copy(vertices, key.begin());
  std::ranges::sort(key);
  return key;
}

/// The vertices of a cell's facet, from the cell's nodes.
std::vector<int> vertices_of(const ReferenceFacet& facet, std::span<const int> of_cell) {
  std::vector<int> v(vertex_count(facet.shape));
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = of_cell[facet.vertices[i]];
  return v;
}

bool has_all(std::span<const int> nodes, std::span<const int> wanted) {
  return std::ranges::all_of(wanted, [&](int v) { return std::ranges::find(nodes, v) != nodes.end(); });
}

/// Which nodes of a cell lie on each of its facets.
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

}  // namespace

std::vector<std::vector<unsigned char>> exterior_facets(const Mesh& mesh) {
  const NodeCells incidence(mesh);
  std::vector<std::vector<unsigned char>> exterior;
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    const auto facets = facets_of(mesh.cells[b].type.shape);
    auto& of_block = exterior.emplace_back(mesh.cells[b].count(), 0);
    for (int c = 0; c < mesh.cells[b].count(); ++c) {
      const int cell = incidence.first_cell(static_cast<int>(b)) + c;
      for (std::size_t f = 0; f < facets.size(); ++f) {
        const std::vector<int> v = vertices_of(facets[f], incidence.nodes_of(cell));
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
  std::map<FacetKey, std::size_t> place;
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
        place[key_of(vertices_of(facets[f], nodes))] = found.size();
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
      const FacetKey key = key_of(nodes.first(n_vertices));
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
          if (key_of(vertices_of(facets[f], of_cell)) == key) inside.sides[n_sides++] = {cell, static_cast<int>(f)};
      }
      place[key] = found.size();
      found.push_back(std::move(inside));
    }
    first += block.count();
  }
  return found;
}

}  // namespace invar
