#include "libfem/mechanism/region_nodes.hpp"

#include <algorithm>
#include <map>

#include "libfem/mesh/all_gather.hpp"
#include "libfem/space/region_measure.hpp"

namespace invar {
namespace {

void facets_of_region(const Mesh& mesh, const Region& region, RegionNodes& all) {
  std::vector<long long> mine;  // shape, order, original numbers of nodes
  for (std::size_t b = 0; b < mesh.facets.size() && b < region.members.size(); ++b) {
    const CellBlock& block = mesh.facets[b];
    const int n = node_count(block.type);
    for (const int facet : region.members[b]) {
      if (facet >= block.n_owned) continue;
      mine.insert(mine.end(), {static_cast<long long>(block.type.shape), block.type.order});
      for (int a = 0; a < n; ++a) mine.push_back(mesh.original_node[block.nodes[std::size_t(facet) * n + a]]);
    }
  }
  const std::vector<long long> list = all_gather(mine, MPI_LONG_LONG, mesh.comm);
  for (std::size_t i = 0; i < list.size();) {
    RegionNodes::Facet facet{{static_cast<Shape>(list[i]), static_cast<int>(list[i + 1])}, {}};
    i += 2;
    for (int a = 0; a < node_count(facet.type); ++a, ++i)
      facet.nodes.push_back(static_cast<int>(std::ranges::lower_bound(all.nodes, list[i], {}, &RegionNodes::Node::original) - all.nodes.begin()));
    all.facets.push_back(std::move(facet));
  }
  std::ranges::sort(all.facets, {}, &RegionNodes::Facet::nodes);
}

}  // namespace

RegionNodes gather_region(const DofMap& dofs, const std::string& name, bool around_axis) {
  const Mesh& mesh = dofs.mesh();
  const Region& region = *mesh.find_region(name);
  const bool measured = region.dim == mesh.dim || region.dim == mesh.dim - 1;
  const std::vector<double> weights = measured ? nodal_measures(mesh, region, around_axis) : std::vector<double>();
  const std::size_t n_components = dofs.n_components();
  std::vector<long long> numbers;  // original, then the dofs
  std::vector<double> places;      // x, then the weight; for nodes of other ranks only this rank's contribution to the weight
  for (const int node : region.nodes) {
    numbers.push_back(mesh.original_node[node]);
    const bool own = node < mesh.n_owned_nodes;
    for (std::size_t c = 0; c < n_components; ++c) {
      const int dof = dofs.dof(node, static_cast<int>(c));
      numbers.push_back(!own ? -2 : dof < 0 ? -1 : dofs.global_dof(node) + dof - dofs.first_dof(node));
    }
    for (int i = 0; i < 3; ++i) places.push_back(i < mesh.dim ? mesh.coordinates[std::size_t(node) * mesh.dim + i] : 0.0);
    places.push_back(measured ? weights[node] : own ? 1.0 : 0.0);
  }
  numbers = all_gather(numbers, MPI_LONG_LONG, mesh.comm);
  places = all_gather(places, MPI_DOUBLE, mesh.comm);
  std::map<long long, RegionNodes::Node> found;
  for (std::size_t i = 0; i * (1 + n_components) < numbers.size(); ++i) {
    const long long* number = &numbers[i * (1 + n_components)];
    RegionNodes::Node& node = found[number[0]];
    node.original = number[0];
    std::copy_n(&places[4 * i], 3, node.x.begin());
    node.weight += places[4 * i + 3];
    if (n_components == 0 || number[1] == -2) continue;
    node.dofs.assign(number + 1, number + 1 + n_components);
  }
  RegionNodes all;
  all.name = name;
  all.around_axis = around_axis;
  all.dim = mesh.dim;
  for (auto& [original, node] : found) all.nodes.push_back(std::move(node));
  if (region.dim == mesh.dim - 1) facets_of_region(mesh, region, all);
  return all;
}

std::array<std::array<double, 3>, 2> RegionNodes::box() const {
  std::array<std::array<double, 3>, 2> corners{};
  for (int i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      corners[0][i] = k == 0 ? nodes[k].x[i] : std::min(corners[0][i], nodes[k].x[i]);
      corners[1][i] = k == 0 ? nodes[k].x[i] : std::max(corners[1][i], nodes[k].x[i]);
    }
  return corners;
}

double RegionNodes::extent() const {
  const auto [low, high] = box();
  double longest = 0;
  for (int i = 0; i < 3; ++i) longest = std::max(longest, high[i] - low[i]);
  return longest;
}

}  // namespace invar
