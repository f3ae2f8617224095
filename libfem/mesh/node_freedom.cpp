#include "libfem/mesh/node_freedom.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace invar {
namespace {

constexpr double same_direction = 1e-6;  // sine of the angle between directions that count as the same

double sine(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}
double cosine(const std::array<double, 3>& a, const std::array<double, 3>& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// [entity of all blocks] the regions of that dimension that it belongs to, by number.
std::vector<std::vector<int>> regions_of(const Mesh& mesh, const std::vector<CellBlock>& blocks, int dim) {
  std::size_t total = 0;
  for (const CellBlock& block : blocks) total += static_cast<std::size_t>(block.count());
  std::vector<std::vector<int>> all(total);
  for (std::size_t r = 0; r < mesh.regions.size(); ++r) {
    if (mesh.regions[r].dim != dim) continue;
    std::size_t first = 0;
    for (std::size_t b = 0; b < blocks.size() && b < mesh.regions[r].members.size(); first += static_cast<std::size_t>(blocks[b++].count()))
      for (const int k : mesh.regions[r].members[b]) all[first + k].push_back(static_cast<int>(r));
  }
  return all;
}

}  // namespace

NodeFreedom::NodeFreedom(const Mesh& serial, std::span<const int> kind)
    : mesh_(serial), cells_(serial), in_curve_(serial.node_total(), 0), is_point_(serial.node_total(), 0) {
  const std::vector<std::vector<int>> of_cells = regions_of(serial, serial.cells, serial.dim);
  std::map<std::pair<std::vector<int>, int>, int> number;
  for (std::size_t c = 0; c < of_cells.size(); ++c)
    kind_.push_back(number.try_emplace({of_cells[c], kind[c]}, static_cast<int>(number.size())).first->second);
  std::map<VertexKey, std::set<int>> of_facets;  // which may be listed once per region
  const std::vector<std::vector<int>> listed = regions_of(serial, serial.facets, serial.dim - 1);
  std::size_t facet = 0;
  for (const CellBlock& block : serial.facets) {
    const int n = node_count(block.type);
    for (int f = 0; f < block.count(); ++f, ++facet)
      if (!listed[facet].empty())
        of_facets[vertex_key({&block.nodes[std::size_t(f) * n], std::size_t(vertex_count(block.type.shape))})].insert(listed[facet].begin(), listed[facet].end());
  }
  std::map<std::set<int>, int> sets;
  for (const auto& [key, regions] : of_facets) named_[key] = sets.try_emplace(regions, static_cast<int>(sets.size())).first->second;
  for (const Region& region : serial.regions) {
    if (region.dim >= serial.dim - 1) continue;
    for (const int node : region.nodes) (region.dim == 0 ? is_point_ : in_curve_)[node] = 1;
    if (region.dim == 1) curves_.push_back(&region);
  }
}

std::array<double, 3> NodeFreedom::step(int from, int to) const {
  std::array<double, 3> d{};
  double length = 0;
  for (int i = 0; i < mesh_.dim; ++i) {
    d[i] = mesh_.coordinates[std::size_t(to) * mesh_.dim + i] - mesh_.coordinates[std::size_t(from) * mesh_.dim + i];
    length += d[i] * d[i];
  }
  for (double& x : d) x /= std::sqrt(length);
  return d;
}

std::vector<NodeFreedom::Wall> NodeFreedom::walls_at(int node) const {
  std::vector<Wall> walls;
  std::set<VertexKey> seen;
  for (const int cell : cells_.cells_of(node)) {
    for (const ReferenceFacet& facet : facets_of(mesh_.cells[cells_.block_of(cell)].type.shape)) {
      std::vector<int> v = facet_vertices(facet, cells_.nodes_of(cell));
      const auto here = std::ranges::find(v, node);
      if (here == v.end()) continue;
      const VertexKey key = vertex_key(v);
      if (!seen.insert(key).second) continue;
      const auto others = cells_.cells_of(node);
      const auto beyond = std::ranges::find_if(others, [&](int other) { return other != cell && has_all(cells_.nodes_of(other), v); });
      const bool exterior = beyond == others.end();
      const auto named = named_.find(key);
      const int kind = kind_[cell], other = exterior ? kind : kind_[*beyond];
      if (!exterior && kind == other && named == named_.end()) continue;
      Wall wall{{exterior, std::min(kind, other), std::max(kind, other), named == named_.end() ? -1 : named->second}, {}, {}, v};
      const auto n = static_cast<std::ptrdiff_t>(v.size()), k = here - v.begin();
      wall.ends.push_back(v[(k + 1) % n]);
      const std::array<double, 3> along = step(node, wall.ends[0]);
      if (mesh_.dim == 2) wall.normal = {-along[1], along[0], 0};
      else {
        wall.ends.push_back(v[(k + n - 1) % n]);
        const std::array<double, 3> w = step(node, wall.ends[1]);
        const double size = sine(along, w);
        wall.normal = {(along[1] * w[2] - along[2] * w[1]) / size, (along[2] * w[0] - along[0] * w[2]) / size, (along[0] * w[1] - along[1] * w[0]) / size};
      }
      walls.push_back(std::move(wall));
    }
  }
  return walls;
}

NodeFreedom::Freedom NodeFreedom::freedom_of(int node) const {
  if (is_point_[node]) return {};
  std::vector<std::vector<Wall>> sides;  // walls of one plane and category
  for (Wall& wall : walls_at(node)) {
    const auto same = std::ranges::find_if(sides, [&](const std::vector<Wall>& side) {
      return side[0].category == wall.category && sine(side[0].normal, wall.normal) < same_direction;
    });
    (same == sides.end() ? sides.emplace_back() : *same).push_back(std::move(wall));
  }
  if (sides.empty()) return {.everywhere = in_curve_[node] == 0};
  Freedom freedom;
  std::vector<std::map<int, int>> ends(sides.size());  // how many walls of a side end there
  for (std::size_t s = 0; s < sides.size(); ++s)
    for (const Wall& wall : sides[s])
      for (const int end : wall.ends) ++ends[s][end];
  if (sides.size() == 1) {
    const bool around = mesh_.dim == 2 ? ends[0].size() == 2 : std::ranges::all_of(ends[0], [](const auto& e) { return e.second == 2; });
    if (!around || in_curve_[node]) return {};
    for (const Wall& wall : sides[0]) freedom.towards.insert(freedom.towards.end(), wall.vertices.begin(), wall.vertices.end());
    return freedom;
  }
  for (const auto& [end, count] : ends[0])
    if (std::ranges::all_of(ends, [&](const auto& of_side) { return of_side.contains(end); })) freedom.towards.push_back(end);
  if (freedom.towards.size() != 2) return {};
  const std::array<double, 3> one = step(node, freedom.towards[0]), two = step(node, freedom.towards[1]);
  if (sine(one, two) > same_direction || cosine(one, two) > 0) return {};
  for (const Region* curve : curves_)
    if (std::ranges::binary_search(curve->nodes, node))
      for (const int end : freedom.towards)
        if (!std::ranges::binary_search(curve->nodes, end)) return {};
  return freedom;
}

bool NodeFreedom::may_move(int a, int b) {
  const auto [entry, is_new] = known_.try_emplace(a);
  if (is_new) entry->second = freedom_of(a);
  return entry->second.everywhere || std::ranges::find(entry->second.towards, b) != entry->second.towards.end();
}

}  // namespace invar
