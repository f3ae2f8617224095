#include "libfem/mesh/part_boundary.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "libfem/mesh/all_gather.hpp"
#include "libfem/mesh/cell_facets.hpp"
#include "libfem/mesh/node_cells.hpp"

namespace invar {
namespace {

/// The key by global numbers.
VertexKey global_key(const Mesh& mesh, std::span<const int> vertices) {
  VertexKey key{-1, -1, -1, -1};
  std::ranges::transform(vertices, key.begin(), [&](int v) {
    return v < mesh.n_owned_nodes ? mesh.node_offset + v : mesh.ghost_nodes[v - mesh.n_owned_nodes];
  });
  std::ranges::sort(key);
  return key;
}

/// Facets inside the mesh, whose owners say what is behind them.
class InnerFacets {
 public:
  explicit InnerFacets(const Mesh& mesh) : mesh_(mesh) {}
  void add(PartFacet found, std::span<const int> vertices) {
    const VertexKey key = global_key(mesh_, vertices);
    if (found.beyond > 0 && std::ranges::any_of(vertices, [&](int v) { return v < mesh_.n_owned_nodes; })) {
      known_.insert(known_.end(), key.begin(), key.end());
      known_.push_back(found.beyond);
    }
    facets_.emplace_back(key, std::move(found));
  }
  /// Adds those behind which there is another part. A rank does not have all cells behind facets without nodes of its own.
  void append_to(std::vector<PartFacet>& all) {
    constexpr std::size_t stride = std::tuple_size_v<VertexKey> + 1;
    std::map<VertexKey, int> beyond;
    const std::vector<long long> known = all_gather(known_, MPI_LONG_LONG, mesh_.comm);
    for (std::size_t k = 0; k < known.size(); k += stride) {
      VertexKey key;
      std::copy_n(&known[k], key.size(), key.begin());
      beyond[key] = static_cast<int>(known[k + stride - 1]);
    }
    for (auto& [key, found] : facets_) {
      if (const auto at = beyond.find(key); found.beyond < 0 && at != beyond.end()) found.beyond = at->second;
      if (found.beyond > 0) all.push_back(std::move(found));
    }
  }

 private:
  const Mesh& mesh_;
  std::vector<std::pair<VertexKey, PartFacet>> facets_;
  std::vector<long long> known_;
};

}  // namespace

std::vector<PartFacet> part_boundary(const Mesh& mesh, const std::vector<int>& label) {
  const NodeCells incidence(mesh);
  std::vector<PartFacet> found;
  std::map<CellSide, std::vector<int>> named;  // entries in Mesh::facets of facets inside
  for (BoundaryFacet& facet : boundary_facets(mesh)) {
    if (!facet.exterior) {
      for (const CellSide& side : facet.sides) named[side] = facet.positions;
      if (std::ranges::all_of(facet.sides, [&](const CellSide& side) { return side.cell >= 0 && label[side.cell] == 0; })) found.push_back({std::move(facet), 0});
    } else if (facet.sides[0].cell >= 0 && label[facet.sides[0].cell] == 0)
      found.push_back({std::move(facet), -1});
  }
  InnerFacets inner(mesh);
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    const auto facets = facets_of(mesh.cells[b].type.shape);
    const auto on = nodes_on_facets(mesh.cells[b].type);
    for (int c = 0; c < mesh.cells[b].count(); ++c) {
      const int cell = incidence.first_cell(static_cast<int>(b)) + c;
      if (label[cell] != 0) continue;
      const auto nodes = incidence.nodes_of(cell);
      for (std::size_t f = 0; f < facets.size(); ++f) {
        if (mesh.exterior[b][c] >> f & 1) continue;
        const std::vector<int> vertices = facet_vertices(facets[f], nodes);
        int beyond = -1;
        for (const int other : incidence.cells_of(vertices[0]))
          if (other != cell && has_all(incidence.nodes_of(other), vertices)) beyond = label[other];
        if (beyond == 0) continue;
        PartFacet facet{BoundaryFacet(), beyond};
        facet.facet.exterior = false;
        facet.facet.sides[0] = {cell, static_cast<int>(f)};
        for (const int a : on[f]) facet.facet.nodes.push_back(nodes[a]);
        if (const auto at = named.find(facet.facet.sides[0]); at != named.end()) facet.facet.positions = at->second;
        inner.add(std::move(facet), vertices);
      }
    }
  }
  inner.append_to(found);
  return found;
}

}  // namespace invar
