#include "libfem/mesh/simplex_body.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "libfem/mesh/cell_facets.hpp"

namespace invar {
namespace {

/// Sets that are united step by step.
class Unions {
 public:
  explicit Unions(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  int of(int k) {
    while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
    return k;
  }
  /// The set keeps the smaller name.
  void unite(int a, int b) {
    a = of(a), b = of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }
  /// Numbers the sets, in the order of their first members.
  std::vector<int> numbers(int& count) {
    std::vector<int> number(parent_.size(), -1);
    count = 0;
    for (std::size_t k = 0; k < parent_.size(); ++k) {
      const int root = of(static_cast<int>(k));
      number[k] = root == static_cast<int>(k) ? count++ : number[root];
    }
    return number;
  }

 private:
  std::vector<int> parent_;
};

/// Which simplices have a node, in compressed rows.
struct SimplexStars {
  std::vector<int> first, members;
  SimplexStars(const std::vector<Simplex>& cells, int vertices, std::size_t nodes) : first(nodes + 1, 0) {
    for (const Simplex& s : cells)
      for (int k = 0; k < vertices; ++k) ++first[s[k] + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    members.resize(first.back());
    std::vector<int> at(first.begin(), first.end() - 1);
    for (std::size_t c = 0; c < cells.size(); ++c)
      for (int k = 0; k < vertices; ++k) members[at[cells[c][k]]++] = static_cast<int>(c);
  }
  std::span<const int> of(int node) const { return {members.data() + first[node], members.data() + first[node + 1]}; }
};

int common_vertices(const Simplex& a, const Simplex& b, int vertices) {
  int count = 0;
  for (int i = 0; i < vertices; ++i) count += std::find(b.begin(), b.begin() + vertices, a[i]) != b.begin() + vertices;
  return count;
}

class Extraction {
 public:
  Extraction(const Mesh& serial, const ContourSplit& split, const SimplexBody& body, const std::vector<char>& keep)
      : serial_(serial), split_(split), body_(body), vertices_(serial.dim + 1) {
    std::vector<int> cell_count(body.node.size(), 0);
    for (std::size_t k = 0; k < body.chosen.size(); ++k)
      if (keep[body.part[k]]) {
        kept_.push_back(static_cast<int>(k));
        for (int i = 0; i < vertices_; ++i) ++cell_count[body.cells[k][i]];
      }
    out_.mesh.dim = serial.dim;
    number_.assign(body.node.size(), -1);
    copies_.resize(split.coordinates.size() / serial.dim);
    for (std::size_t k = 0; k < number_.size(); ++k) {
      if (cell_count[k] == 0) continue;
      number_[k] = add_node(&split.coordinates[std::size_t(body.node[k]) * serial.dim]);
      copies_[body.node[k]].push_back({cell_count[k], number_[k]});
    }
  }

  PartialMesh build() {
    add_cells();
    for (const Region& region : serial_.regions) out_.mesh.regions.push_back({region.name, region.dim, {}, {}});
    add_cell_regions();
    add_loose();
    add_facets();
    for (std::size_t r = 0; r < serial_.regions.size(); ++r)
      if (serial_.regions[r].dim < serial_.dim - 1) add_low_region(serial_.regions[r], out_.mesh.regions[r]);
    for (Region& region : out_.mesh.regions)
      if (region.dim == serial_.dim - 1) region.members.resize(out_.mesh.facets.size());
    complete_serial(out_.mesh);
    return std::move(out_);
  }

 private:
  int add_node(const double* x) {
    out_.mesh.coordinates.insert(out_.mesh.coordinates.end(), x, x + serial_.dim);
    return out_.mesh.node_total() - 1;
  }

  void add_cells() {
    CellBlock block{{serial_.dim == 2 ? Shape::triangle : Shape::tetrahedron, 1}, {}, 0};
    for (const int k : kept_) {
      for (int i = 0; i < vertices_; ++i) block.nodes.push_back(number_[body_.cells[k][i]]);
      out_.parent.push_back(split_.cell_parent[body_.chosen[k]]);
    }
    out_.mesh.cells.push_back(std::move(block));
  }

  void add_cell_regions() {
    std::size_t total = 0;
    for (const CellBlock& block : serial_.cells) total += static_cast<std::size_t>(block.count());
    for (std::size_t r = 0; r < serial_.regions.size(); ++r) {
      const Region& region = serial_.regions[r];
      if (region.dim != serial_.dim) continue;
      std::vector<char> inside(total, 0);
      std::size_t first = 0;
      for (std::size_t b = 0; b < serial_.cells.size(); first += static_cast<std::size_t>(serial_.cells[b++].count()))
        for (const int c : region.members[b]) inside[first + c] = 1;
      std::vector<int>& members = out_.mesh.regions[r].members.emplace_back();
      for (std::size_t c = 0; c < out_.parent.size(); ++c)
        if (inside[out_.parent[c]]) members.push_back(static_cast<int>(c));
    }
  }

  /// Nodes and facets of the serial mesh that have no cells, such as the surface of an obstacle.
  void add_loose() {
    std::vector<char> in_cell(serial_.node_total(), 0);
    for (const CellBlock& block : serial_.cells)
      for (const int node : block.nodes) in_cell[node] = 1;
    loose_.assign(serial_.node_total(), -1);
    for (int node = 0; node < serial_.node_total(); ++node)
      if (!in_cell[node]) loose_[node] = add_node(&serial_.coordinates[std::size_t(node) * serial_.dim]);
    int first = 0;
    for (const CellBlock& block : serial_.facets) {
      const int n = node_count(block.type);
      for (int f = 0; f < block.count(); ++f) {
        const std::span<const int> nodes(&block.nodes[std::size_t(f) * n], std::size_t(n));
        if (std::ranges::any_of(nodes, [&](int node) { return loose_[node] < 0; })) continue;
        std::vector<int> numbers;
        for (const int node : nodes) numbers.push_back(loose_[node]);
        add_facet(block.type, numbers, first + f);
      }
      first += block.count();
    }
  }

  void add_facet(CellType type, std::span<const int> nodes, int parent) {
    std::vector<CellBlock>& blocks = out_.mesh.facets;
    auto block = std::ranges::find(blocks, type, &CellBlock::type);
    if (block == blocks.end()) block = blocks.insert(blocks.end(), CellBlock{type, {}, 0});
    const auto b = static_cast<std::size_t>(block - blocks.begin());
    for (const int r : regions_of_facet(parent)) {
      std::vector<std::vector<int>>& members = out_.mesh.regions[r].members;
      members.resize(std::max(members.size(), b + 1));
      members[b].push_back(block->count());
    }
    block->nodes.insert(block->nodes.end(), nodes.begin(), nodes.end());
  }

  const std::vector<int>& regions_of_facet(int facet) {
    if (regions_of_.empty())
      for (std::size_t r = 0; r < serial_.regions.size(); ++r) {
        if (serial_.regions[r].dim != serial_.dim - 1) continue;
        int first = 0;
        for (std::size_t b = 0; b < serial_.facets.size() && b < serial_.regions[r].members.size(); first += serial_.facets[b++].count())
          for (const int f : serial_.regions[r].members[b]) regions_of_[first + f].push_back(static_cast<int>(r));
      }
    return regions_of_[facet];
  }

  /// Those of regions that bound a kept simplex: with its nodes, and the normal out of it if there is one only.
  void add_facets() {
    std::map<VertexKey, std::vector<std::size_t>> wanted;  // by nodes of the split mesh
    std::vector<char> named(split_.coordinates.size() / serial_.dim, 0);
    const auto vertices_of = [&](const SimplexSide& s) { return std::span<const int>(s.data(), std::size_t(serial_.dim)); };
    for (std::size_t f = 0; f < split_.facets.size(); ++f) {
      wanted[vertex_key(vertices_of(split_.facets[f]))].push_back(f);
      for (const int node : vertices_of(split_.facets[f])) named[node] = 1;
    }
    struct Sides {
      std::vector<int> nodes;    // of the first simplex there, with the normal out of it
      std::vector<int> in_split;  // the same in the split mesh
      int count = 0;
    };
    std::vector<Sides> sides(split_.facets.size());
    const Shape shape = serial_.dim == 2 ? Shape::triangle : Shape::tetrahedron;
    for (const int k : kept_) {
      const Simplex& s = split_.cells[body_.chosen[k]];
      if (std::count_if(s.begin(), s.begin() + vertices_, [&](int node) { return named[node] != 0; }) < serial_.dim) continue;
      for (const ReferenceFacet& facet : facets_of(shape)) {
        std::vector<int> own, in_split;
        for (int i = 0; i < serial_.dim; ++i) {
          in_split.push_back(s[facet.vertices[i]]);
          own.push_back(number_[body_.cells[k][facet.vertices[i]]]);
        }
        const auto found = wanted.find(vertex_key(in_split));
        if (found == wanted.end()) continue;
        for (const std::size_t f : found->second)
          if (sides[f].count++ == 0) sides[f].nodes = own, sides[f].in_split = in_split;
      }
    }
    std::map<int, std::array<double, 2>> measure;  // of a region: in all, kept
    const CellType type{serial_.dim == 2 ? Shape::segment : Shape::triangle, 1};
    for (std::size_t f = 0; f < sides.size(); ++f) {
      const double size = side_measure(serial_.dim, split_.coordinates.data(), split_.facets[f]);
      for (const int r : regions_of_facet(split_.facet_parent[f])) measure[r][0] += size, measure[r][1] += sides[f].count > 0 ? size : 0;
      if (sides[f].count == 0) continue;
      if (sides[f].count > 1 && !same_sense(sides[f].in_split, split_.facets[f])) std::swap(sides[f].nodes[0], sides[f].nodes[1]);
      add_facet(type, sides[f].nodes, split_.facet_parent[f]);
    }
    for (const auto& [r, m] : measure) out_.kept_share.emplace_back(serial_.regions[r].name, m[0] > 0 ? m[1] / m[0] : 0);
  }

  /// Whether two lists of the same vertices are equal up to an even permutation.
  bool same_sense(const std::vector<int>& a, const SimplexSide& b) const {
    if (serial_.dim == 2) return a[0] == b[0];
    const auto at = std::ranges::find(b, a[0]) - b.begin();
    return b[(at + 1) % 3] == a[1];
  }

  /// A point keeps one node, that of the most cells; a curve those of its nodes, and crossings of edges between two of them.
  void add_low_region(const Region& from, Region& to) {
    const auto first_crossing = static_cast<std::size_t>(serial_.node_total());
    std::size_t with_cells = 0, kept = 0;
    const auto add = [&](std::size_t node) {
      with_cells += node < first_crossing && loose_[node] < 0;
      if (node < first_crossing && loose_[node] >= 0) to.nodes.push_back(loose_[node]);
      if (copies_[node].empty()) return;
      kept += node < first_crossing;
      to.nodes.push_back(std::ranges::max_element(copies_[node])->second);
    };
    for (const int node : from.nodes) add(static_cast<std::size_t>(node));
    for (std::size_t k = 0; from.dim == 1 && k < split_.crossed_edges.size(); ++k)
      if (std::ranges::binary_search(from.nodes, split_.crossed_edges[k][0]) && std::ranges::binary_search(from.nodes, split_.crossed_edges[k][1])) add(first_crossing + k);
    std::ranges::sort(to.nodes);
    if (with_cells > 0) out_.kept_share.emplace_back(from.name, static_cast<double>(kept) / static_cast<double>(with_cells));
  }

  const Mesh& serial_;
  const ContourSplit& split_;
  const SimplexBody& body_;
  int vertices_;
  std::vector<int> kept_;    // positions among the chosen simplices
  std::vector<int> number_;  // [own number of the body] node of the new mesh, −1
  std::vector<std::vector<std::pair<int, int>>> copies_;  // [node of the split mesh] number of cells, node of the new mesh
  std::vector<int> loose_;   // [serial node] node of the new mesh if it has no cells, else −1
  std::map<int, std::vector<int>> regions_of_;  // facet of the serial mesh → positions of regions
  PartialMesh out_;
};

}  // namespace

SimplexBody connect(int dim, const ContourSplit& split, const std::vector<char>& choose) {
  SimplexBody body;
  const int vertices = dim + 1;
  const std::size_t nodes = split.coordinates.size() / dim;
  std::vector<char> at_gap(nodes, 0);  // a node whose simplices are not all chosen: others have a single fan
  for (std::size_t c = 0; c < split.cells.size(); ++c) {
    if (choose[c]) {
      body.chosen.push_back(static_cast<int>(c));
      body.cells.push_back(split.cells[c]);
    } else
      for (int k = 0; k < vertices; ++k) at_gap[split.cells[c][k]] = 1;
  }
  const std::vector<Simplex> whole = body.cells;
  const SimplexStars stars(whole, vertices, nodes);
  for (std::size_t node = 0; node < nodes; ++node) {
    const std::span<const int> star = stars.of(static_cast<int>(node));
    if (star.empty()) continue;
    std::vector<int> fan(star.size(), 0);
    int fans = 1;
    if (at_gap[node]) {
      Unions united(star.size());
      for (std::size_t i = 0; i < star.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (common_vertices(whole[star[i]], whole[star[j]], vertices) == dim) united.unite(static_cast<int>(i), static_cast<int>(j));
      fan = united.numbers(fans);
    }
    const int first = static_cast<int>(body.node.size());
    body.node.insert(body.node.end(), std::size_t(fans), static_cast<int>(node));
    for (std::size_t i = 0; i < star.size(); ++i)
      for (int k = 0; k < vertices; ++k)
        if (whole[star[i]][k] == static_cast<int>(node)) body.cells[star[i]][k] = first + fan[i];
  }
  Unions parts(body.node.size());
  for (const Simplex& s : body.cells)
    for (int k = 1; k < vertices; ++k) parts.unite(s[0], s[k]);
  const std::vector<int> part_of = parts.numbers(body.parts);
  for (const Simplex& s : body.cells) body.part.push_back(part_of[s[0]]);
  return body;
}

PartialMesh mesh_of(const Mesh& serial, const ContourSplit& split, const SimplexBody& body, const std::vector<char>& keep) {
  return Extraction(serial, split, body, keep).build();
}

}  // namespace invar
