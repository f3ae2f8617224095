#include "libfem/mesh/join_bodies.hpp"

#include <numeric>
#include <stdexcept>

namespace invar {
namespace {

/// The block of that type, created if missing.
std::size_t block_of(std::vector<CellBlock>& blocks, CellType type) {
  for (std::size_t b = 0; b < blocks.size(); ++b)
    if (blocks[b].type == type) return b;
  blocks.push_back({type, {}, 0});
  return blocks.size() - 1;
}

/// Position of a body's blocks of cells or facets in the joined mesh.
struct BlockPlace {
  std::size_t block;
  int first;  // entity
};

std::vector<BlockPlace> append_blocks(std::vector<CellBlock>& all, const std::vector<CellBlock>& more, int first_node) {
  std::vector<BlockPlace> places;
  for (const CellBlock& block : more) {
    const std::size_t b = block_of(all, block.type);
    places.push_back({b, all[b].count()});
    for (const int node : block.nodes) all[b].nodes.push_back(first_node + node);
  }
  return places;
}

std::vector<std::vector<int>> moved(const std::vector<std::vector<int>>& members, const std::vector<BlockPlace>& places, std::size_t n_blocks) {
  std::vector<std::vector<int>> all(n_blocks);
  for (std::size_t b = 0; b < members.size(); ++b)
    for (const int member : members[b]) all[places[b].block].push_back(places[b].first + member);
  return all;
}

void add_region(Mesh& mesh, Region region) {
  if (mesh.find_region(region.name)) throw std::invalid_argument("two bodies give the region '" + region.name + "'");
  mesh.regions.push_back(std::move(region));
}

bool is_points(const Mesh& body) { return body.cells.empty() && body.facets.empty(); }

/// All cells of a body, or all facets of a body without cells, or all points.
Region whole_of(const std::string& name, const Mesh& body, int first_node, const std::vector<BlockPlace>& places, std::size_t n_blocks) {
  if (is_points(body)) {
    Region points{name, 0, {}, std::vector<int>(body.node_total())};
    std::iota(points.nodes.begin(), points.nodes.end(), first_node);
    return points;
  }
  const std::vector<CellBlock>& blocks = body.cells.empty() ? body.facets : body.cells;
  Region whole{name, body.cells.empty() ? body.dim - 1 : body.dim, std::vector<std::vector<int>>(n_blocks), {}};
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (int e = 0; e < blocks[b].count(); ++e) whole.members[places[b].block].push_back(places[b].first + e);
  return whole;
}

int body_order(const Mesh& body) {
  const std::vector<CellBlock>& blocks = body.cells.empty() ? body.facets : body.cells;
  return blocks.empty() ? 0 : blocks[0].type.order;
}

}  // namespace

Mesh join_bodies(const std::vector<std::pair<std::string, Mesh>>& bodies) {
  Mesh mesh;
  int order = 0;
  for (const auto& [name, body] : bodies) {
    if (mesh.dim == 0) mesh.dim = body.dim;
    if (order == 0) order = body_order(body);
    if (body.dim != mesh.dim) throw std::invalid_argument("the bodies have different dimensions");
    if (!is_points(body) && body_order(body) != order) throw std::invalid_argument("the cells and surfaces of the bodies have different orders");
    const int first_node = mesh.node_total();
    mesh.coordinates.insert(mesh.coordinates.end(), body.coordinates.begin(), body.coordinates.end());
    const std::vector<BlockPlace> cells = append_blocks(mesh.cells, body.cells, first_node), facets = append_blocks(mesh.facets, body.facets, first_node);
    add_region(mesh, body.cells.empty() ? whole_of(name, body, first_node, facets, mesh.facets.size()) : whole_of(name, body, first_node, cells, mesh.cells.size()));
    for (const Region& r : body.regions) {
      Region region{name + "_" + r.name, r.dim, {}, {}};
      if (r.dim == body.dim) region.members = moved(r.members, cells, mesh.cells.size());
      else if (r.dim == body.dim - 1) region.members = moved(r.members, facets, mesh.facets.size());
      else
        for (const int node : r.nodes) region.nodes.push_back(first_node + node);
      add_region(mesh, std::move(region));
    }
  }
  if (mesh.cells.empty()) throw std::invalid_argument("no body has cells: surfaces and points can only be obstacles for a body with cells");
  for (Region& r : mesh.regions)
    if (r.dim >= mesh.dim - 1) r.members.resize(r.dim == mesh.dim ? mesh.cells.size() : mesh.facets.size());
  complete_serial(mesh);
  return mesh;
}

}  // namespace invar
