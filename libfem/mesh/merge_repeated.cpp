#include <algorithm>
#include <cstdint>

#include "libfem/mesh/gmsh_file.hpp"

namespace invar {
namespace {

void add_groups(GmshFile& file, GmshFile::Elements& elements, size_t e, int set) {
  auto& sets = file.group_sets;
  std::vector<int> both = sets[elements.groups[e]];
  both.insert(both.end(), sets[set].begin(), sets[set].end());
  std::ranges::sort(both);
  both.erase(std::unique(both.begin(), both.end()), both.end());
  const auto known = std::ranges::find(sets, both);
  elements.groups[e] = static_cast<int>(known - sets.begin());
  if (known == sets.end()) sets.push_back(std::move(both));
}

}  // namespace

void merge_repeated(GmshFile& file, GmshFile::Elements& elements) {
  const int n = node_count(elements.type), n_vertices = vertex_count(elements.type.shape);
  const auto vertices = [&](size_t e) {
    std::vector<int> sorted(elements.nodes.begin() + e * n, elements.nodes.begin() + e * n + n_vertices);
    std::ranges::sort(sorted);
    return sorted;
  };
  std::vector<std::pair<std::uint64_t, size_t>> keys;
  for (size_t e = 0; e < elements.count(); ++e) {
    std::uint64_t key = 0;
    for (int v = 0; v < n_vertices; ++v) {  // the same for every order of the vertices
      std::uint64_t h = (elements.nodes[e * n + v] + 1) * 0x9E3779B97F4A7C15ull;
      key += (h ^ h >> 29) * 0xBF58476D1CE4E5B9ull;
    }
    keys.emplace_back(key, e);
  }
  std::ranges::sort(keys);
  std::vector<size_t> repeated;
  for (size_t i = 1, first = 0; i < keys.size(); ++i) {
    if (keys[i].first != keys[first].first) first = i;
    for (size_t j = first; j < i; ++j)
      if (vertices(keys[i].second) == vertices(keys[j].second)) {
        add_groups(file, elements, keys[j].second, elements.groups[keys[i].second]);
        repeated.push_back(keys[i].second);
        break;
      }
  }
  if (repeated.empty()) return;
  std::vector<char> drop(elements.count(), 0);
  for (size_t e : repeated) drop[e] = 1;
  GmshFile::Elements kept{elements.type, {}, {}, {}};
  for (size_t e = 0; e < elements.count(); ++e) {
    if (drop[e]) continue;
    const auto nodes = elements.nodes.begin() + e * n;
    kept.nodes.insert(kept.nodes.end(), nodes, nodes + n);
    kept.groups.push_back(elements.groups[e]);
    kept.place.push_back(elements.place[e]);
  }
  elements = std::move(kept);
}

}  // namespace invar
