#include "libfem/design/geometry/facet_group.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "libfem/mesh/all_gather.hpp"

namespace invar {
namespace {

const Region& facet_region(const Mesh& mesh, const std::string& name) {
  const Region* region = mesh.find_region(name);
  if (!region) throw std::invalid_argument("the mesh has no region '" + name + "'");
  if (region->dim != mesh.dim - 1)
    throw std::invalid_argument("region '" + name + "' is not a boundary: its entities have dimension " +
                                std::to_string(region->dim) + ", not " + std::to_string(mesh.dim - 1));
  return *region;
}

FacetGroup sorted(const FacetGroup& group, int dim) {
  const int k = node_count(group.type);
  std::vector<int> order(group.count());
  std::iota(order.begin(), order.end(), 0);
  const auto nodes = [&](int e) { return group.nodes.begin() + std::ptrdiff_t(e) * k; };
  std::ranges::sort(order, [&](int a, int b) {
    return std::lexicographical_compare(nodes(a), nodes(a) + k, nodes(b), nodes(b) + k);
  });
  FacetGroup result{group.type, {}, {}};
  for (int e : order) {
    const auto x = group.points.begin() + std::ptrdiff_t(e) * k * dim;
    result.nodes.insert(result.nodes.end(), nodes(e), nodes(e) + k);
    result.points.insert(result.points.end(), x, x + k * dim);
  }
  return result;
}

}  // namespace

std::vector<FacetGroup> gather_facets(const Mesh& mesh, const std::vector<std::string>& regions,
                                      const std::vector<double>& coordinates) {
  std::vector<const Region*> parts;
  for (const std::string& name : regions) parts.push_back(&facet_region(mesh, name));

  std::vector<FacetGroup> groups;
  for (std::size_t b = 0; b < mesh.facets.size(); ++b) {
    const CellBlock& block = mesh.facets[b];
    const int k = node_count(block.type);
    std::vector<char> named(block.count(), false);
    for (const Region* part : parts)
      for (int position : part->members[b]) named[position] = true;
    FacetGroup mine{block.type, {}, {}};
    for (int e = 0; e < block.n_owned; ++e) {
      if (!named[e]) continue;
      for (int a = 0; a < k; ++a) {
        const int node = block.nodes[std::size_t(e) * k + a];
        const auto x = coordinates.begin() + std::ptrdiff_t(node) * mesh.dim;
        mine.nodes.push_back(mesh.original_node[node]);
        mine.points.insert(mine.points.end(), x, x + mesh.dim);
      }
    }
    groups.push_back(sorted(
        {block.type, all_gather(mine.nodes, MPI_LONG_LONG, mesh.comm), all_gather(mine.points, MPI_DOUBLE, mesh.comm)},
        mesh.dim));
  }
  return groups;
}

}  // namespace invar
