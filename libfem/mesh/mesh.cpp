#include "libfem/mesh/mesh.hpp"

#include <algorithm>
#include <numeric>

#include "libfem/mesh/boundary_facets.hpp"

namespace invar {

int dimension_of(Shape shape) {
  constexpr int dimension[] = {0, 1, 2, 2, 3, 3};
  return dimension[static_cast<int>(shape)];
}

int vertex_count(Shape shape) {
  constexpr int count[] = {1, 2, 3, 4, 4, 8};
  return count[static_cast<int>(shape)];
}

int node_count(CellType type) {
  constexpr int second[] = {1, 3, 6, 9, 10, 27};
  if (type.order == 0) return 1;
  return type.order == 1 ? vertex_count(type.shape) : second[static_cast<int>(type.shape)];
}

std::string_view name_of(Shape shape) {
  constexpr std::string_view name[] = {"point",         "segment",     "triangle",
                                       "quadrilateral", "tetrahedron", "hexahedron"};
  return name[static_cast<int>(shape)];
}

const Region* Mesh::find_region(const std::string& name) const {
  const auto found = std::ranges::find(regions, name, &Region::name);
  return found == regions.end() ? nullptr : &*found;
}

namespace {

void collect_nodes(Region& region, const std::vector<CellBlock>& blocks, int n_nodes) {
  std::vector<char> used(n_nodes, 0);
  for (size_t b = 0; b < blocks.size(); ++b) {
    const int n = node_count(blocks[b].type);
    for (int position : region.members[b])
      for (int a = 0; a < n; ++a) used[blocks[b].nodes[position * n + a]] = 1;
  }
  region.nodes.clear();
  for (int i = 0; i < n_nodes; ++i)
    if (used[i]) region.nodes.push_back(i);
}

}  // namespace

void complete_serial(Mesh& mesh) {
  const int n_nodes = mesh.node_total();
  mesh.comm = MPI_COMM_SELF;
  mesh.n_owned_nodes = n_nodes;
  mesh.node_offset = 0;
  mesh.n_global_nodes = n_nodes;
  mesh.ghost_nodes.clear();
  mesh.original_node.resize(n_nodes);
  std::iota(mesh.original_node.begin(), mesh.original_node.end(), 0LL);
  mesh.original_cell.resize(mesh.cells.size());
  for (size_t b = 0; b < mesh.cells.size(); ++b) {
    mesh.cells[b].n_owned = mesh.cells[b].count();
    mesh.original_cell[b].resize(mesh.cells[b].count());
    std::iota(mesh.original_cell[b].begin(), mesh.original_cell[b].end(), 0LL);
  }
  for (CellBlock& block : mesh.facets) block.n_owned = block.count();
  for (Region& region : mesh.regions)
    if (region.dim >= mesh.dim - 1)
      collect_nodes(region, region.dim == mesh.dim ? mesh.cells : mesh.facets, n_nodes);
  mesh.exterior = exterior_facets(mesh);
}

}  // namespace invar
