#include "libfem/mesh/cut_out.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <stdexcept>

#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

/// Which cells of a block lie in the box.
std::vector<char> inside_of(const Mesh& mesh, const CellBlock& block, const std::vector<double>& low, const std::vector<double>& high) {
  const int n = node_count(block.type), dim = mesh.dim;
  std::vector<char> inside(block.count());
  for (int c = 0; c < block.count(); ++c) {
    bool held = true, meets = true;
    for (int i = 0; i < dim; ++i) {
      double least = high[i], greatest = low[i];
      for (int a = 0; a < n; ++a) {
        const double x = mesh.coordinates[std::size_t(block.nodes[c * n + a]) * dim + i];
        least = a ? std::min(least, x) : x, greatest = a ? std::max(greatest, x) : x;
      }
      const double slack = 1e-6 * (greatest - least);
      held &= least > low[i] - slack && greatest < high[i] + slack;
      meets &= least < high[i] - slack && greatest > low[i] + slack;
    }
    if (held != meets) throw std::invalid_argument("a side of the box that is left out cuts cells: put it on lines of the mesh");
    inside[c] = held;
  }
  return inside;
}

/// The vertices of a facet of a cell, as they go round; sorted they name it.
std::vector<int> ends_of_side(const ReferenceFacet& facet, const int* cell) {
  std::vector<int> nodes;
  for (int v = 0; v < vertex_count(facet.shape); ++v) nodes.push_back(cell[facet.vertices[v]]);
  return nodes;
}
std::vector<int> in_order(std::vector<int> nodes) {
  std::ranges::sort(nodes);
  return nodes;
}

/// Keeps the entities of a block whose flag is set, and those of the regions of this dimension.
void keep(Mesh& mesh, CellBlock& block, std::size_t number, int dim, const std::vector<char>& kept) {
  const int n = node_count(block.type);
  std::vector<int> moved(kept.size(), -1), nodes;
  for (std::size_t k = 0, next = 0; k < kept.size(); ++k) {
    if (!kept[k]) continue;
    moved[k] = static_cast<int>(next++);
    nodes.insert(nodes.end(), block.nodes.begin() + std::ptrdiff_t(k) * n, block.nodes.begin() + std::ptrdiff_t(k + 1) * n);
  }
  block.nodes = std::move(nodes);
  for (Region& region : mesh.regions) {
    if (region.dim != dim || region.members.size() <= number) continue;
    std::vector<int> left;
    for (const int k : region.members[number])
      if (moved[k] >= 0) left.push_back(moved[k]);
    region.members[number] = std::move(left);
  }
}

}  // namespace

void cut_out(Mesh& mesh, const std::string& name, const std::vector<double>& low, const std::vector<double>& high) {
  if (mesh.find_region(name)) throw std::invalid_argument("the mesh already has a region '" + name + "'");
  std::map<std::vector<int>, int> sides;  // of kept cells: 1; of others: 2; of both: 3
  std::vector<std::vector<char>> inside;
  std::size_t held = 0, all = 0;
  const auto visit_facets = [&](auto&& visit) {
    for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
      const CellBlock& block = mesh.cells[b];
      for (int c = 0; c < block.count(); ++c)
        for (const ReferenceFacet& facet : facets_of(block.type.shape))
          visit(facet, ends_of_side(facet, &block.nodes[std::size_t(c) * node_count(block.type)]), inside[b][c] != 0);
    }
  };
  for (const CellBlock& block : mesh.cells) {
    inside.push_back(inside_of(mesh, block, low, high));
    held += std::ranges::count(inside.back(), 1), all += inside.back().size();
  }
  if (held == 0) throw std::invalid_argument("no cell lies in the box that is left out");
  if (held == all) throw std::invalid_argument("all cells lie in the box that is left out");
  visit_facets([&](const ReferenceFacet&, const std::vector<int>& nodes, bool is_inside) { sides[in_order(nodes)] |= is_inside ? 2 : 1; });

  for (std::size_t b = 0; b < mesh.facets.size(); ++b) {
    CellBlock& block = mesh.facets[b];
    const int n = node_count(block.type);
    std::vector<char> kept(block.count());
    for (int k = 0; k < block.count(); ++k) {
      const auto from = block.nodes.begin() + std::ptrdiff_t(k) * n;
      kept[k] = (sides.at(in_order({from, from + n})) & 1) != 0;
    }
    keep(mesh, block, b, mesh.dim - 1, kept);
  }
  Region hole{name, mesh.dim - 1, std::vector<std::vector<int>>(mesh.facets.size()), {}};
  visit_facets([&](const ReferenceFacet& facet, const std::vector<int>& nodes, bool is_inside) {
    if (is_inside || sides.at(in_order(nodes)) != 3) return;
    const auto block = std::ranges::find_if(mesh.facets, [&](const CellBlock& f) { return f.type == CellType{facet.shape, 1}; });
    if (block == mesh.facets.end()) throw std::invalid_argument("the mesh has no facets of the kind that the box would leave");
    hole.members[block - mesh.facets.begin()].push_back(block->count());
    block->nodes.insert(block->nodes.end(), nodes.begin(), nodes.end());
  });
  mesh.regions.push_back(std::move(hole));
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    std::vector<char> kept(inside[b]);
    for (char& k : kept) k = !k;
    keep(mesh, mesh.cells[b], b, mesh.dim, kept);
  }

  std::vector<int> moved(mesh.node_total(), -1);
  for (const CellBlock& block : mesh.cells)
    for (const int node : block.nodes) moved[node] = 0;
  std::vector<double> places;
  for (std::size_t node = 0, next = 0; node < moved.size(); ++node) {
    if (moved[node] < 0) continue;
    moved[node] = static_cast<int>(next++);
    places.insert(places.end(), &mesh.coordinates[node * mesh.dim], &mesh.coordinates[(node + 1) * mesh.dim]);
  }
  mesh.coordinates = std::move(places);
  for (auto* blocks : {&mesh.cells, &mesh.facets})
    for (CellBlock& block : *blocks)
      for (int& node : block.nodes) node = moved[node];
  for (Region& region : mesh.regions) {
    std::vector<int> left;
    for (const int node : region.nodes)
      if (region.dim < mesh.dim - 1 && moved[node] >= 0) left.push_back(moved[node]);
    region.nodes = std::move(left);  // of those with members collected again below
  }
  std::erase_if(mesh.regions, [](const Region& r) {
    return r.nodes.empty() && std::ranges::all_of(r.members, [](const auto& m) { return m.empty(); });
  });
  complete_serial(mesh);
}

}  // namespace invar
