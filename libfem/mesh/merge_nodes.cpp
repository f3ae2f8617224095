#include "libfem/mesh/merge_nodes.hpp"

#include <algorithm>

namespace invar {

void merge_nodes(Mesh& mesh, const std::vector<int>& stays) {
  std::vector<int> number(stays.size(), -1);
  std::vector<double> coordinates;
  int n = 0;
  for (std::size_t k = 0; k < stays.size(); ++k)
    if (stays[k] == static_cast<int>(k)) {
      number[k] = n++;
      coordinates.insert(coordinates.end(), &mesh.coordinates[k * mesh.dim], &mesh.coordinates[k * mesh.dim] + mesh.dim);
    }
  mesh.coordinates = std::move(coordinates);
  const auto renumber = [&](std::vector<int>& nodes) {
    for (int& node : nodes) node = number[stays[node]];
  };
  for (CellBlock& block : mesh.cells) renumber(block.nodes);
  for (CellBlock& block : mesh.facets) renumber(block.nodes);
  for (Region& r : mesh.regions) {
    renumber(r.nodes);
    std::ranges::sort(r.nodes);
    r.nodes.erase(std::ranges::unique(r.nodes).begin(), r.nodes.end());
  }
}

void keep_facet_regions(Mesh& mesh, const std::vector<std::string>& names) {
  std::erase_if(mesh.regions, [&](const Region& r) { return r.dim == mesh.dim - 1 && std::ranges::find(names, r.name) == names.end(); });
  for (std::size_t b = 0; b < mesh.facets.size(); ++b) {
    CellBlock& block = mesh.facets[b];
    const int n = node_count(block.type);
    std::vector<int> number(block.count(), -1), nodes;
    for (const Region& r : mesh.regions)
      if (r.dim == mesh.dim - 1)
        for (const int f : r.members[b]) number[f] = 0;
    int kept = 0;
    for (int f = 0; f < block.count(); ++f)
      if (number[f] == 0) {
        number[f] = kept++;
        nodes.insert(nodes.end(), &block.nodes[std::size_t(f) * n], &block.nodes[std::size_t(f) * n] + n);
      }
    block.nodes = std::move(nodes);
    for (Region& r : mesh.regions)
      if (r.dim == mesh.dim - 1)
        for (int& f : r.members[b]) f = number[f];
  }
}

}  // namespace invar
