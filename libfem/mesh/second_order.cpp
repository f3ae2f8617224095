#include "libfem/mesh/second_order.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <unordered_map>

#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

/// An edge or face by its vertices, ascending, −1 in unused places at the front.
using Key = std::array<int, 4>;
struct KeyHash {
  size_t operator()(const Key& key) const {
    size_t hash = 0;
    for (int vertex : key) hash = (hash ^ static_cast<unsigned>(vertex)) * 0x9E3779B97F4A7C15ull;
    return hash ^ hash >> 32;
  }
};

/// Adds one node at the middle of each edge and face.
class Middles {
 public:
  explicit Middles(Mesh& mesh) : mesh_(mesh) { found_.reserve(mesh.node_total() * 8); }

  int of(std::span<const int> vertices) {
    Key key{-1, -1, -1, -1};
    std::ranges::copy(vertices, key.begin());
    std::ranges::sort(key);
    const auto [entry, is_new] = found_.try_emplace(key, mesh_.node_total());
    if (is_new) add(vertices);
    return entry->second;
  }
  int add(std::span<const int> vertices) {
    const int node = mesh_.node_total();
    for (int d = 0; d < mesh_.dim; ++d) {
      double sum = 0;
      for (int v : vertices) sum += mesh_.coordinates[v * mesh_.dim + d];
      mesh_.coordinates.push_back(sum / vertices.size());
    }
    return node;
  }
  const auto& all() const { return found_; }

 private:
  Mesh& mesh_;
  std::unordered_map<Key, int, KeyHash> found_;
};

CellBlock raise(const CellBlock& block, Middles& middles) {
  if (block.type.order == 2 || block.type.shape == Shape::point) return block;
  const Shape shape = block.type.shape;
  const int n = vertex_count(shape);
  CellBlock raised{{shape, 2}, {}, block.n_owned};
  raised.nodes.reserve(block.count() * node_count(raised.type));
  for (int c = 0; c < block.count(); ++c) {
    const std::span vertex(block.nodes.data() + c * n, n);
    raised.nodes.insert(raised.nodes.end(), vertex.begin(), vertex.end());
    for (auto [a, b] : edges_of(shape))
      raised.nodes.push_back(middles.of(std::array{vertex[a], vertex[b]}));
    if (shape == Shape::quadrilateral) raised.nodes.push_back(middles.of(vertex));
    if (shape != Shape::hexahedron) continue;
    for (const ReferenceFacet& face : facets_of(shape)) {
      const auto& v = face.vertices;
      raised.nodes.push_back(
          middles.of(std::array{vertex[v[0]], vertex[v[1]], vertex[v[2]], vertex[v[3]]}));
    }
    raised.nodes.push_back(middles.add(vertex));
  }
  return raised;
}

void raise_curves(Mesh& mesh, const Middles& middles) {
  for (Region& region : mesh.regions) {
    if (region.dim < 1 || region.dim >= mesh.dim - 1) continue;
    const auto contains = [&](int node) { return std::ranges::binary_search(region.nodes, node); };
    std::vector<int> added;
    for (const auto& [key, node] : middles.all())
      if (key[1] < 0 && contains(key[2]) && contains(key[3])) added.push_back(node);
    std::ranges::sort(added);
    region.nodes.insert(region.nodes.end(), added.begin(), added.end());
  }
}

}  // namespace

Mesh to_second_order(const Mesh& mesh) {
  Mesh raised = mesh;
  Middles middles(raised);
  for (CellBlock& block : raised.cells) block = raise(block, middles);
  for (CellBlock& block : raised.facets) block = raise(block, middles);
  raise_curves(raised, middles);
  complete_serial(raised);
  return raised;
}

Mesh to_first_order(const Mesh& mesh) {
  Mesh lowered = mesh;
  std::vector<int> number(mesh.node_total(), -1);
  for (auto* blocks : {&lowered.cells, &lowered.facets})
    for (CellBlock& block : *blocks) {
      const int n = node_count(block.type), kept = vertex_count(block.type.shape),
                count = block.count();
      for (int c = 0; c < count; ++c)
        for (int v = 0; v < kept; ++v)
          number[block.nodes[c * kept + v] = block.nodes[c * n + v]] = 0;
      block.nodes.resize(count * kept);
      block.type.order = 1;
    }
  lowered.coordinates.clear();
  int n_nodes = 0;
  for (int i = 0; i < mesh.node_total(); ++i) {
    if (number[i] < 0) continue;
    number[i] = n_nodes++;
    const auto x = mesh.coordinates.begin() + i * mesh.dim;
    lowered.coordinates.insert(lowered.coordinates.end(), x, x + mesh.dim);
  }
  for (auto* blocks : {&lowered.cells, &lowered.facets})
    for (CellBlock& block : *blocks)
      for (int& node : block.nodes) node = number[node];
  for (Region& region : lowered.regions) {
    for (int& node : region.nodes) node = number[node];
    std::erase(region.nodes, -1);
  }
  complete_serial(lowered);
  return lowered;
}

}  // namespace invar
