#include "libfem/mesh/mark_interface.hpp"

#include <algorithm>
#include <stdexcept>

#include "libfem/mesh/cell_facets.hpp"
#include "libfem/mesh/node_cells.hpp"
#include "libfem/mesh/part_boundary.hpp"
#include "libfem/mesh/reference_element.hpp"
#include "libfem/mesh/region_flags.hpp"

namespace invar {
namespace {

constexpr const char* stem = "interface of ";

}  // namespace

std::string interface_name(const std::string& part) { return stem + part; }
bool is_interface(const Region& region) { return region.name.starts_with(stem); }

void mark_interface(Mesh& mesh, const std::string& name, const std::string& part) {
  if (mesh.find_region(name)) throw std::invalid_argument("the mesh already has a region '" + name + "'");
  const Region* cells = mesh.find_region(part);
  if (!cells || cells->dim != mesh.dim) throw std::invalid_argument("the mesh has no region of cells '" + part + "'");
  std::vector<int> label;
  for (const char inside : members_in(mesh.cells, *cells)) label.push_back(inside ? 0 : 1);
  std::vector<CellType> type;  // of each cell
  for (const CellBlock& block : mesh.cells) {
    if (block.type.order != 1) throw std::invalid_argument("an interface is marked on cells of first order only");
    type.insert(type.end(), block.count(), block.type);
  }
  const NodeCells incidence(mesh);
  std::vector<int> first{0};  // number of the first facet of each block
  for (const CellBlock& block : mesh.facets) first.push_back(first.back() + block.count());

  Region region{name, mesh.dim - 1, std::vector<std::vector<int>>(mesh.facets.size()), {}};
  for (const PartFacet& found : part_boundary(mesh, label)) {
    if (found.beyond != 1) continue;
    const BoundaryFacet& facet = found.facet;
    region.nodes.insert(region.nodes.end(), facet.nodes.begin(), facet.nodes.end());
    if (!facet.positions.empty()) {
      const int at = facet.positions.front();
      const std::size_t block = std::ranges::upper_bound(first, at) - first.begin() - 1;
      region.members[block].push_back(at - first[block]);
      continue;
    }
    const CellType of_cell = type[facet.sides[0].cell];
    const ReferenceFacet& reference = facets_of(of_cell.shape)[facet.sides[0].facet];
    const CellType of_facet{reference.shape, 1};
    auto block = std::ranges::find(mesh.facets, of_facet, &CellBlock::type);
    if (block == mesh.facets.end()) {
      block = mesh.facets.insert(block, CellBlock{of_facet, {}, 0});
      for (Region& other : mesh.regions)
        if (other.dim == mesh.dim - 1) other.members.emplace_back();
      region.members.emplace_back();
    }
    region.members[block - mesh.facets.begin()].push_back(block->count());
    const std::vector<int> vertices = facet_vertices(reference, incidence.nodes_of(facet.sides[0].cell));
    block->nodes.insert(block->nodes.end(), vertices.begin(), vertices.end());
    ++block->n_owned;
  }
  for (std::vector<int>& members : region.members) std::ranges::sort(members);
  std::ranges::sort(region.nodes);
  region.nodes.erase(std::unique(region.nodes.begin(), region.nodes.end()), region.nodes.end());
  mesh.regions.push_back(std::move(region));
}

}  // namespace invar
