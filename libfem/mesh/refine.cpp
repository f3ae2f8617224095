#include "libfem/mesh/refine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "libfem/mesh/cell_children.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

/// A point of a cell as integer weights of the cell's vertices, in eighths cubed, so that cells with a common edge or face have the
/// same keys. Sorted by vertex, −1 in unused places at the end.
struct PlaceKey {
  std::array<std::pair<int, int>, 8> weights;
  bool operator==(const PlaceKey&) const = default;
  int count() const {
    return static_cast<int>(std::ranges::count_if(weights, [](const auto& w) { return w.first >= 0; }));
  }
};
struct PlaceHash {
  std::size_t operator()(const PlaceKey& key) const {
    std::size_t hash = 0;
    for (const auto& [vertex, weight] : key.weights) {
      hash = (hash ^ static_cast<unsigned>(vertex)) * 0x9E3779B97F4A7C15ull;
      hash = (hash ^ static_cast<unsigned>(weight)) * 0xBF58476D1CE4E5B9ull;
    }
    return hash ^ hash >> 32;
  }
};

/// Children of a cell of one type: their distinct nodes as points of the parent.
struct Division {
  struct Place {
    std::vector<int> weights;          // of the parent's vertices
    std::vector<double> shape_values;  // of the parent's nodes
  };
  std::vector<Place> places;
  std::vector<int> nodes;  // [children × nodes]: positions among `places`; the first are the parent's own nodes

  explicit Division(CellType type) {
    const int dim = dimension_of(type.shape), n = node_count(type);
    const std::vector<double> own = reference_nodes(type);
    std::map<std::vector<long>, int> known;
    const auto place = [&](const std::vector<double>& xi) {
      std::vector<long> key;
      for (double x : xi) key.push_back(std::lround(64 * x));
      const auto [entry, is_new] = known.try_emplace(key, static_cast<int>(places.size()));
      if (is_new) add(type, xi);
      return entry->second;
    };
    for (int a = 0; a < n; ++a) place({own.begin() + a * dim, own.begin() + (a + 1) * dim});
    for (int child = 0; child < child_count(type.shape); ++child)
      for (int a = 0; a < n; ++a) nodes.push_back(place(in_parent(type.shape, child, {own.data() + a * dim, static_cast<std::size_t>(dim)})));
  }

 private:
  void add(CellType type, const std::vector<double>& xi) {
    Place p{std::vector<int>(vertex_count(type.shape)), std::vector<double>(node_count(type))};
    std::vector<double> N(vertex_count(type.shape));
    shape_values({type.shape, 1}, xi.data(), N.data());
    for (std::size_t v = 0; v < N.size(); ++v) p.weights[v] = static_cast<int>(std::lround(512 * N[v]));
    shape_values(type, xi.data(), p.shape_values.data());
    places.push_back(std::move(p));
  }
};

class Refinement {
 public:
  explicit Refinement(const Mesh& coarse) : coarse_(coarse), fine_(coarse) {}

  Mesh build() {
    for (CellBlock& block : fine_.cells) divide(block);
    for (CellBlock& block : fine_.facets) divide(block);
    for (Region& region : fine_.regions) {
      const bool of_cells = region.dim == fine_.dim;
      for (std::size_t b = 0; b < region.members.size(); ++b)
        multiply(region.members[b], child_count((of_cells ? coarse_.cells : coarse_.facets)[b].type.shape));
      if (region.dim == 1 && fine_.dim == 3) refine_curve(region);
    }
    complete_serial(fine_);
    return std::move(fine_);
  }

 private:
  void divide(CellBlock& block) {
    const Division division(block.type);
    const std::vector<int> parents = std::move(block.nodes);
    const int n = node_count(block.type), count = static_cast<int>(parents.size()) / n;
    std::vector<int> at(division.places.size());
    block.nodes.clear();
    block.nodes.reserve(parents.size() * child_count(block.type.shape));
    for (int c = 0; c < count; ++c) {
      const int* parent = parents.data() + static_cast<std::size_t>(c) * n;
      std::copy_n(parent, n, at.begin());
      for (std::size_t p = n; p < at.size(); ++p) at[p] = node_at(division.places[p], parent);
      for (const int p : division.nodes) block.nodes.push_back(at[p]);
    }
  }

  int node_at(const Division::Place& place, const int* parent) {
    PlaceKey key;
    key.weights.fill({-1, 0});
    int used = 0;
    for (std::size_t v = 0; v < place.weights.size(); ++v)
      if (place.weights[v] > 0) key.weights[used++] = {parent[v], place.weights[v]};
    std::sort(key.weights.begin(), key.weights.begin() + used);
    const auto [entry, is_new] = added_.try_emplace(key, fine_.node_total());
    if (!is_new) return entry->second;
    for (int d = 0; d < fine_.dim; ++d) {
      double x = 0;
      for (std::size_t a = 0; a < place.shape_values.size(); ++a) x += place.shape_values[a] * coarse_.coordinates[parent[a] * fine_.dim + d];
      fine_.coordinates.push_back(x);
    }
    return entry->second;
  }

  static void multiply(std::vector<int>& members, int n) {
    std::vector<int> children;
    children.reserve(members.size() * n);
    for (const int m : members)
      for (int k = 0; k < n; ++k) children.push_back(m * n + k);
    members = std::move(children);
  }

  void refine_curve(Region& region) {
    std::vector<int> more;
    for (const auto& [key, node] : added_)
      if (key.count() == 2 && std::ranges::binary_search(region.nodes, key.weights[0].first) &&
          std::ranges::binary_search(region.nodes, key.weights[1].first))
        more.push_back(node);
    std::ranges::sort(more);
    region.nodes.insert(region.nodes.end(), more.begin(), more.end());
  }

  const Mesh& coarse_;
  Mesh fine_;
  std::unordered_map<PlaceKey, int, PlaceHash> added_;
};

}  // namespace

Mesh refine(const Mesh& serial) {
  if (serial.n_owned_nodes != serial.node_total() || serial.n_global_nodes != serial.node_total())
    throw std::invalid_argument("refine: the mesh is already distributed; every rank must have the whole mesh");
  return Refinement(serial).build();
}

}  // namespace invar
