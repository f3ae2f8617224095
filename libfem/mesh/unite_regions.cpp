#include "libfem/mesh/unite_regions.hpp"

#include <algorithm>
#include <stdexcept>

namespace invar {
namespace {

template <class T>
void unite(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

}  // namespace

void unite_regions(Mesh& mesh, const std::string& name, const std::vector<std::string>& parts) {
  if (mesh.find_region(name)) throw std::invalid_argument("the mesh already has a region '" + name + "'");
  Region all;
  all.name = name;
  all.dim = -1;
  for (const std::string& part : parts) {
    const Region* r = mesh.find_region(part);
    if (!r) {
      std::string known;
      for (const Region& other : mesh.regions) known += (known.empty() ? "" : ", ") + other.name;
      throw std::invalid_argument("the mesh has no region '" + part + "' for '" + name + "'; its regions: " + known);
    }
    if (all.dim >= 0 && r->dim != all.dim) throw std::invalid_argument("the regions of '" + name + "' have different dimensions");
    all.dim = r->dim;
    all.members.resize(std::max(all.members.size(), r->members.size()));
    for (std::size_t b = 0; b < r->members.size(); ++b) unite(all.members[b], r->members[b]);
    unite(all.nodes, r->nodes);
  }
  mesh.regions.push_back(std::move(all));
}

}  // namespace invar
