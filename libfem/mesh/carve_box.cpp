#include "libfem/mesh/carve_box.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

#include "libadjoint/number_text.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

/// The vertices of a facet in ascending order: the same from both sides.
using FacetKey = std::array<int, 4>;

FacetKey facet_key(const int* nodes, int count) {
  FacetKey key{-1, -1, -1, -1};
  std::copy_n(nodes, count, key.begin());
  std::ranges::sort(key);
  return key;
}

/// The node of a second-order cell between two of its vertices.
int node_between(Shape shape, int a, int b) {
  const auto edges = edges_of(shape);
  for (std::size_t e = 0; e < edges.size(); ++e)
    if ((edges[e][0] == a && edges[e][1] == b) || (edges[e][0] == b && edges[e][1] == a)) return vertex_count(shape) + static_cast<int>(e);
  throw std::logic_error("no edge between two vertices of a facet");
}

/// Calls visit(facet type, its nodes) for the facets of one cell: vertices, then the middles of edges and faces.
template <class Visit>
void for_facets(CellType type, const int* cell, Visit&& visit) {
  int face = 0;
  for (const ReferenceFacet& facet : facets_of(type.shape)) {
    std::array<int, 9> nodes{};
    const int vertices = vertex_count(facet.shape);
    for (int v = 0; v < vertices; ++v) nodes[v] = cell[facet.vertices[v]];
    if (type.order == 2) {
      int count = vertices;
      for (const auto& [a, b] : edges_of(facet.shape)) nodes[count++] = cell[node_between(type.shape, facet.vertices[a], facet.vertices[b])];
      if (facet.shape == Shape::quadrilateral)
        nodes[count] = cell[vertex_count(type.shape) + static_cast<int>(edges_of(type.shape).size()) + face];
    }
    ++face;
    visit(CellType{facet.shape, type.order}, nodes.data());
  }
}

std::string point_text(const double* x, int dim) {
  std::string text = "(";
  for (int i = 0; i < dim; ++i) text += (i ? ", " : "") + number_text(x[i]);
  return text + ")";
}

/// The nodes inside a box.
class CarvedBox {
 public:
  CarvedBox(const Mesh& mesh, std::span<const double> from, std::span<const double> to) : mesh_(mesh), from_(from), to_(to) {
    double size = 0;
    for (int i = 0; i < mesh.dim; ++i) {
      if (!(from[i] < to[i])) throw std::invalid_argument("the box is empty: each number of 'to' must exceed that of 'from'");
      size = std::max(size, to[i] - from[i]);
    }
    slack_ = 1e-9 * size;
  }
  bool holds(int node) const { return within(node, slack_); }
  bool strictly_holds(int node) const { return within(node, -slack_); }

 private:
  bool within(int node, double slack) const {
    const double* x = &mesh_.coordinates[std::size_t(node) * mesh_.dim];
    for (int i = 0; i < mesh_.dim; ++i)
      if (x[i] < from_[i] - slack || x[i] > to_[i] + slack) return false;
    return true;
  }
  const Mesh& mesh_;
  std::span<const double> from_, to_;
  double slack_ = 0;
};

/// Flags of the removed cells of each block. A removed cell is in the box; other cells have no node inside.
std::vector<std::vector<char>> cells_inside(const Mesh& mesh, const CarvedBox& box) {
  std::vector<std::vector<char>> gone;
  int removed = 0, kept = 0;
  for (const CellBlock& block : mesh.cells) {
    const int n = node_count(block.type);
    std::vector<char>& of_block = gone.emplace_back(block.count(), 0);
    for (int c = 0; c < block.count(); ++c) {
      const int* nodes = &block.nodes[std::size_t(c) * n];
      of_block[c] = std::all_of(nodes, nodes + n, [&](int k) { return box.holds(k); });
      ++(of_block[c] ? removed : kept);
      if (of_block[c]) continue;
      const int* cut = std::find_if(nodes, nodes + n, [&](int k) { return box.strictly_holds(k); });
      if (cut != nodes + n)
        throw std::invalid_argument("the box cuts through the cells at " + point_text(&mesh.coordinates[std::size_t(*cut) * mesh.dim], mesh.dim) +
                                    ": its sides must lie where cells meet");
    }
  }
  if (removed == 0) throw std::invalid_argument("no cell lies in the box");
  if (kept == 0) throw std::invalid_argument("the box contains all cells");
  return gone;
}

/// Checks that the removed cells fill the intersection of the box and the mesh.
void require_filled(const Mesh& mesh, const std::vector<std::vector<char>>& gone, std::span<const double> from, std::span<const double> to) {
  for (int i = 0; i < mesh.dim; ++i) {
    double low = HUGE_VAL, high = -HUGE_VAL, least = HUGE_VAL, most = -HUGE_VAL;  // of the removed cells; of the mesh
    for (std::size_t b = 0; b < mesh.cells.size(); ++b)
      for (std::size_t k = 0; k < mesh.cells[b].nodes.size(); ++k) {
        const double x = mesh.coordinates[std::size_t(mesh.cells[b].nodes[k]) * mesh.dim + i];
        least = std::min(least, x), most = std::max(most, x);
        if (gone[b][k / node_count(mesh.cells[b].type)]) low = std::min(low, x), high = std::max(high, x);
      }
    const double slack = 1e-9 * (to[i] - from[i]), wanted_low = std::max(from[i], least), wanted_high = std::min(to[i], most);
    const bool below = std::abs(low - wanted_low) > slack;
    if (below || std::abs(high - wanted_high) > slack)
      throw std::invalid_argument("the box cuts through cells: those within it reach to " + std::string(1, "xyz"[i]) + " = " + number_text(below ? low : high) +
                                  ", not to " + number_text(below ? wanted_low : wanted_high));
  }
}

/// Removes entries of a block; returns new positions, −1 for removed ones.
std::vector<int> thin_out(CellBlock& block, const std::vector<char>& gone) {
  const int n = node_count(block.type);
  std::vector<int> position(gone.size(), -1), kept;
  int count = 0;
  for (std::size_t c = 0; c < gone.size(); ++c) {
    if (gone[c]) continue;
    position[c] = count++;
    kept.insert(kept.end(), block.nodes.begin() + std::ptrdiff_t(c * n), block.nodes.begin() + std::ptrdiff_t((c + 1) * n));
  }
  block.nodes = std::move(kept);
  return position;
}

void renumber(std::vector<int>& members, const std::vector<int>& position) {
  std::vector<int> kept;
  for (const int m : members)
    if (position[m] >= 0) kept.push_back(position[m]);
  members = std::move(kept);
}

/// The block of `mesh.facets` of that type, and a member list for it in `region`.
int facet_block(Mesh& mesh, Region& region, CellType type) {
  std::size_t b = 0;
  while (b < mesh.facets.size() && !(mesh.facets[b].type.shape == type.shape && mesh.facets[b].type.order == type.order)) ++b;
  if (b == mesh.facets.size()) mesh.facets.push_back({type, {}, 0});
  region.members.resize(std::max(region.members.size(), b + 1));
  return static_cast<int>(b);
}

void drop_unused_nodes(Mesh& mesh) {
  std::vector<int> number(mesh.node_total(), -1);
  for (const std::vector<CellBlock>* blocks : {&mesh.cells, &mesh.facets})
    for (const CellBlock& block : *blocks)
      for (const int k : block.nodes) number[k] = 0;
  int count = 0;
  for (std::size_t k = 0; k < number.size(); ++k) {
    if (number[k] < 0) continue;
    for (int i = 0; i < mesh.dim; ++i) mesh.coordinates[std::size_t(count) * mesh.dim + i] = mesh.coordinates[k * mesh.dim + i];
    number[k] = count++;
  }
  mesh.coordinates.resize(std::size_t(count) * mesh.dim);
  for (std::vector<CellBlock>* blocks : {&mesh.cells, &mesh.facets})
    for (CellBlock& block : *blocks)
      for (int& k : block.nodes) k = number[k];
  for (Region& region : mesh.regions) renumber(region.nodes, number);
}

}  // namespace

void carve_box(Mesh& mesh, const std::string& name, std::span<const double> from, std::span<const double> to) {
  if (mesh.find_region(name)) throw std::invalid_argument("the mesh already has a region '" + name + "'");
  const std::vector<std::vector<char>> gone = cells_inside(mesh, CarvedBox(mesh, from, to));
  require_filled(mesh, gone, from, to);
  std::set<FacetKey> of_gone, bounding;  // facets of removed cells; those of them that remaining cells have, too
  Region hole{name, mesh.dim - 1, {}, {}};
  for (std::size_t b = 0; b < mesh.cells.size(); ++b)
    for (int c = 0; c < mesh.cells[b].count(); ++c)
      if (gone[b][c])
        for_facets(mesh.cells[b].type, &mesh.cells[b].nodes[std::size_t(c) * node_count(mesh.cells[b].type)],
                   [&](CellType facet, const int* nodes) { of_gone.insert(facet_key(nodes, vertex_count(facet.shape))); });
  std::vector<std::pair<CellType, std::vector<int>>> sides;
  for (std::size_t b = 0; b < mesh.cells.size(); ++b)
    for (int c = 0; c < mesh.cells[b].count(); ++c)
      if (!gone[b][c])
        for_facets(mesh.cells[b].type, &mesh.cells[b].nodes[std::size_t(c) * node_count(mesh.cells[b].type)],
                   [&](CellType facet, const int* nodes) {
                     const FacetKey key = facet_key(nodes, vertex_count(facet.shape));
                     if (!of_gone.contains(key)) return;
                     bounding.insert(key);
                     sides.emplace_back(facet, std::vector<int>(nodes, nodes + node_count(facet)));
                   });
  std::vector<std::vector<int>> facet_position;
  for (CellBlock& block : mesh.facets) {
    const int n = node_count(block.type);
    std::vector<char> lost(block.count(), 0);
    for (int f = 0; f < block.count(); ++f) {
      const FacetKey key = facet_key(&block.nodes[std::size_t(f) * n], vertex_count(block.type.shape));
      lost[f] = of_gone.contains(key) && !bounding.contains(key);
    }
    facet_position.push_back(thin_out(block, lost));
  }
  std::vector<std::vector<int>> cell_position;
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) cell_position.push_back(thin_out(mesh.cells[b], gone[b]));
  for (Region& region : mesh.regions)
    for (std::size_t b = 0; b < region.members.size(); ++b)
      renumber(region.members[b], region.dim == mesh.dim ? cell_position[b] : facet_position[b]);
  for (const auto& [facet, nodes] : sides) {
    CellBlock& block = mesh.facets[facet_block(mesh, hole, facet)];
    hole.members[facet_block(mesh, hole, facet)].push_back(block.count());
    block.nodes.insert(block.nodes.end(), nodes.begin(), nodes.end());
  }
  mesh.regions.push_back(std::move(hole));
  for (Region& region : mesh.regions)
    if (region.dim == mesh.dim - 1) region.members.resize(mesh.facets.size());
  drop_unused_nodes(mesh);
  complete_serial(mesh);
  std::erase_if(mesh.regions, [](const Region& r) { return r.nodes.empty(); });
}

}  // namespace invar
