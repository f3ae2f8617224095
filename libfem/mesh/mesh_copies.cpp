#include "libfem/mesh/mesh_copies.hpp"

#include <stdexcept>

namespace invar {
namespace {

/// values, then values + shift, … for each copy.
std::vector<int> repeated(const std::vector<int>& values, int shift, int count) {
  std::vector<int> all;
  all.reserve(values.size() * static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k)
    for (const int v : values) all.push_back(v + k * shift);
  return all;
}

std::vector<CellBlock> repeated(const std::vector<CellBlock>& blocks, int n_nodes, int count) {
  std::vector<CellBlock> all;
  for (const CellBlock& block : blocks) all.push_back({block.type, repeated(block.nodes, n_nodes, count), 0});
  return all;
}

}  // namespace

MeshCopies::MeshCopies(const Mesh& serial, int count) : count_(count) {
  if (count < 1 || !serial.ghost_nodes.empty() || serial.n_owned_nodes != serial.node_total())
    throw std::invalid_argument("copies are made of serial meshes");
  const int n_nodes = serial.node_total();
  mesh_.dim = serial.dim;
  for (int k = 0; k < count; ++k) mesh_.coordinates.insert(mesh_.coordinates.end(), serial.coordinates.begin(), serial.coordinates.end());
  mesh_.cells = repeated(serial.cells, n_nodes, count);
  mesh_.facets = repeated(serial.facets, n_nodes, count);
  for (const Region& region : serial.regions) {
    Region all{region.name, region.dim, {}, repeated(region.nodes, n_nodes, count)};
    const std::vector<CellBlock>& blocks = region.dim == serial.dim ? serial.cells : serial.facets;
    for (std::size_t b = 0; b < region.members.size(); ++b) all.members.push_back(repeated(region.members[b], blocks[b].count(), count));
    mesh_.regions.push_back(std::move(all));
  }
  complete_serial(mesh_);
}

std::vector<int> MeshCopies::of_nodes(const Mesh& part) const {
  const long long n_nodes = mesh_.node_total() / count_;
  std::vector<int> copies;
  for (const long long node : part.original_node) copies.push_back(static_cast<int>(node / n_nodes));
  return copies;
}

std::vector<int> MeshCopies::of_entities(const Mesh& part, const std::vector<CellBlock>& blocks) const {
  const std::vector<int> nodes = of_nodes(part);
  std::vector<int> copies;
  for (const CellBlock& block : blocks)
    for (int e = 0; e < block.count(); ++e) copies.push_back(nodes[block.nodes[static_cast<std::size_t>(e) * node_count(block.type)]]);
  return copies;
}

}  // namespace invar
