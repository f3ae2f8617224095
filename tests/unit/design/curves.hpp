#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar::test {

/// A serial 2-D mesh of facets alone: a curve x(s), s in [0, 1], of n facets, straight or with three
/// nodes, as region "curve".
inline Mesh curve_mesh(const std::function<std::array<double, 2>(double)>& x, int n, int order, bool closed) {
  Mesh mesh;
  mesh.dim = 2;
  const int n_nodes = n * order + (closed ? 0 : 1);
  for (int i = 0; i < n_nodes; ++i) {
    const auto at = x(static_cast<double>(i) / (n * order));
    mesh.coordinates.insert(mesh.coordinates.end(), at.begin(), at.end());
  }
  CellBlock block{{Shape::segment, order}, {}, n};
  for (int e = 0; e < n; ++e) {
    block.nodes.insert(block.nodes.end(), {e * order, (e + 1) * order % n_nodes});
    if (order == 2) block.nodes.push_back(2 * e + 1);
  }
  mesh.facets = {block};
  std::vector<int> all(n);
  std::iota(all.begin(), all.end(), 0);
  mesh.regions = {{"curve", 1, {all}, {}}};
  complete_serial(mesh);
  return mesh;
}

/// Adds the region `name` with the facets of all these.
inline void add_union(Mesh& mesh, const std::string& name, const std::vector<std::string>& parts) {
  Region whole{name, mesh.dim - 1, std::vector<std::vector<int>>(mesh.facets.size()), {}};
  for (const std::string& part : parts)
    for (std::size_t b = 0; b < mesh.facets.size(); ++b) {
      const auto& members = mesh.find_region(part)->members[b];
      whole.members[b].insert(whole.members[b].end(), members.begin(), members.end());
    }
  for (auto& members : whole.members) std::sort(members.begin(), members.end());
  mesh.regions.push_back(whole);
  complete_serial(mesh);
}

}  // namespace invar::test
