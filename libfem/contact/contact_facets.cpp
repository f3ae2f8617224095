#include "libfem/contact/contact_facets.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

using Members = std::vector<std::set<int>>;  // positions per block of facets

Members members_of_regions(const Mesh& mesh, const std::vector<std::string>& names) {
  Members members(mesh.facets.size());
  for (const std::string& name : names) {
    const Region* region = mesh.find_region(name);
    if (!region) throw std::invalid_argument("there is no region '" + name + "'");
    if (region->dim != mesh.dim - 1) throw std::invalid_argument("region '" + name + "' does not consist of facets");
    for (std::size_t b = 0; b < region->members.size(); ++b) members[b].insert(region->members[b].begin(), region->members[b].end());
  }
  return members;
}

bool owns_node_of(const Mesh& mesh, const std::vector<std::string>& names) {
  return std::ranges::any_of(names, [&](const std::string& name) {
    return std::ranges::any_of(mesh.find_region(name)->nodes, [&](int node) { return node < mesh.n_owned_nodes; });
  });
}

/// Checks that a side has facets, and that this rank has all of them (`holds`) or none. Throws on all ranks.
void require_whole(const Mesh& mesh, const Members& members, bool holds) {
  int here = 0, owned = 0;
  for (std::size_t b = 0; b < members.size(); ++b) {
    here += static_cast<int>(members[b].size());
    owned += static_cast<int>(std::ranges::count_if(members[b], [&](int f) { return f < mesh.facets[b].n_owned; }));
  }
  int all = 0;
  MPI_Allreduce(&owned, &all, 1, MPI_INT, MPI_SUM, mesh.comm);
  if (all == 0) throw std::invalid_argument("a side of a contact pair has no facets");
  int whole = !holds || here == all;
  MPI_Allreduce(MPI_IN_PLACE, &whole, 1, MPI_INT, MPI_MIN, mesh.comm);
  if (!whole) throw std::invalid_argument("the mesh was distributed without keeping the facets of a contact pair together");
}

/// Facets of one block, sorted by their nodes in the serial mesh.
CellBlock sorted_facets(const Mesh& mesh, const CellBlock& block, const std::set<int>& members) {
  const int width = node_count(block.type);
  const auto node = [&](int facet, int a) { return block.nodes[std::size_t(facet) * width + a]; };
  std::vector<int> order(members.begin(), members.end());
  std::ranges::sort(order, [&](int f, int g) {
    for (int a = 0; a < width; ++a)
      if (node(f, a) != node(g, a)) return mesh.original_node[node(f, a)] < mesh.original_node[node(g, a)];
    return false;
  });
  CellBlock part{block.type, {}, static_cast<int>(order.size())};
  for (const int f : order)
    for (int a = 0; a < width; ++a) part.nodes.push_back(node(f, a));
  return part;
}

double edge_length_of(const double* coordinates, int dim, int a, int b) {
  double square = 0;
  for (int d = 0; d < dim; ++d) square += std::pow(coordinates[a * dim + d] - coordinates[b * dim + d], 2);
  return std::sqrt(square);
}

/// Mean length of all edges of all facets, between corners; 1 if there are none.
double mean_edge_length(const std::vector<CellBlock>& blocks, const double* coordinates, int dim) {
  double sum = 0;
  long count = 0;
  for (const CellBlock& block : blocks) {
    const int width = node_count(block.type);
    for (int f = 0; f < block.count(); ++f)
      for (const auto& [a, b] : edges_of(block.type.shape)) {
        sum += edge_length_of(coordinates, dim, block.nodes[f * width + a], block.nodes[f * width + b]);
        ++count;
      }
  }
  return count == 0 ? 1 : sum / static_cast<double>(count);
}

}  // namespace

ContactFacets facets_of_regions(const Mesh& mesh, const std::vector<std::string>& first,
                                const std::vector<std::string>& second) {
  ContactFacets facets;
  facets.dim = mesh.dim;
  const int n_sides = second.empty() ? 1 : 2;
  std::array<Members, 2> members{members_of_regions(mesh, first), members_of_regions(mesh, second)};
  const bool holds = owns_node_of(mesh, first) || owns_node_of(mesh, second);
  for (int side = 0; side < n_sides; ++side) require_whole(mesh, members[side], holds);
  int common = 0;
  for (std::size_t b = 0; b < mesh.facets.size(); ++b)
    common |= std::ranges::any_of(members[1][b], [&](int f) { return members[0][b].contains(f); });
  MPI_Allreduce(MPI_IN_PLACE, &common, 1, MPI_INT, MPI_MAX, mesh.comm);
  if (common) throw std::invalid_argument("both sides of a contact pair have a facet in common");
  for (int side = 0; side < n_sides; ++side)
    for (std::size_t b = 0; b < mesh.facets.size(); ++b)
      facets.sides[side].push_back(sorted_facets(mesh, mesh.facets[b], holds ? members[side][b] : std::set<int>{}));
  return facets;
}

std::array<int, 2> divisions_of(const ContactFacets& facets, const double* coordinates, int samples) {
  std::array<double, 2> length{};
  const int n_sides = facets.self() ? 1 : 2;
  for (int side = 0; side < n_sides; ++side)
    length[side] = mean_edge_length(facets.sides[side], coordinates, facets.dim);
  const double shortest = n_sides == 1 ? length[0] : std::min(length[0], length[1]);
  std::array<int, 2> divisions{1, 1};
  for (int side = 0; side < n_sides; ++side) {
    int n = static_cast<int>(std::ceil(samples * length[side] / shortest * (1 - 1e-9)));
    bool curved = false, with_corners_of_no_weight = false;
    for (const CellBlock& block : facets.sides[side]) {
      if (block.count() == 0) continue;
      curved |= block.type.order == 2;
      with_corners_of_no_weight |= block.type == CellType{Shape::triangle, 2};
    }
    if (curved) n += n % 2;
    divisions[side] = std::max(n, with_corners_of_no_weight ? 4 : 1);
  }
  return divisions;
}

}  // namespace invar
