#include "libfem/mesh/region_flags.hpp"

namespace invar {

std::vector<char> nodes_in(const Mesh& mesh, const std::vector<std::string>& regions) {
  std::vector<char> in(mesh.node_total(), 0);
  for (const std::string& name : regions)
    if (const Region* region = mesh.find_region(name))
      for (const int node : region->nodes) in[node] = 1;
  return in;
}

std::vector<char> facets_in(const Mesh& mesh, const std::vector<std::string>& regions) {
  std::vector<char> in;
  for (const CellBlock& block : mesh.facets) in.resize(in.size() + block.count(), 0);
  for (const std::string& name : regions)
    if (const Region* region = mesh.find_region(name)) {
      const std::vector<char> here = members_in(mesh.facets, *region);
      for (std::size_t f = 0; f < in.size(); ++f) in[f] |= here[f];
    }
  return in;
}

std::vector<char> members_in(const std::vector<CellBlock>& blocks, const Region& region) {
  std::vector<char> in;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const std::size_t first = in.size();
    in.resize(first + blocks[b].count(), 0);
    if (b < region.members.size())
      for (const int e : region.members[b]) in[first + e] = 1;
  }
  return in;
}

}  // namespace invar
