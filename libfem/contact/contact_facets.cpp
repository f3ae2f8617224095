#include "libfem/contact/contact_facets.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

/// Per block of facets, the positions that belong to one of the regions.
std::vector<std::set<int>> members_of_regions(const Mesh& mesh, const std::vector<std::string>& names) {
  std::vector<std::set<int>> members(mesh.facets.size());
  bool any = false;
  for (const std::string& name : names) {
    const Region* region = mesh.find_region(name);
    if (!region) throw std::invalid_argument("there is no region '" + name + "'");
    if (region->dim != mesh.dim - 1) throw std::invalid_argument("region '" + name + "' does not consist of facets");
    for (std::size_t b = 0; b < region->members.size(); ++b)
      for (int position : region->members[b]) any = members[b].insert(position).second || any;
  }
  if (!any) throw std::invalid_argument("a side of a contact pair has no facets");
  return members;
}

double edge_length_of(const double* coordinates, int dim, int a, int b) {
  double square = 0;
  for (int d = 0; d < dim; ++d) square += std::pow(coordinates[a * dim + d] - coordinates[b * dim + d], 2);
  return std::sqrt(square);
}

/// Mean over all edges of all facets, between corners.
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
  return sum / static_cast<double>(count);
}

}  // namespace

ContactFacets facets_of_regions(const Mesh& mesh, const std::vector<std::string>& first,
                                const std::vector<std::string>& second) {
  ContactFacets facets;
  facets.dim = mesh.dim;
  std::array<std::vector<std::set<int>>, 2> members;
  members[0] = members_of_regions(mesh, first);
  if (!second.empty()) members[1] = members_of_regions(mesh, second);
  for (int side = 0; side < (second.empty() ? 1 : 2); ++side)
    for (std::size_t b = 0; b < mesh.facets.size(); ++b) {
      if (members[side][b].empty()) continue;
      const CellBlock& block = mesh.facets[b];
      const int width = node_count(block.type);
      CellBlock part{block.type, {}, 0};
      for (int f : members[side][b]) {
        if (side == 1 && members[0][b].contains(f))
          throw std::invalid_argument("both sides of a contact pair have a facet in common");
        part.nodes.insert(part.nodes.end(), block.nodes.begin() + f * width, block.nodes.begin() + (f + 1) * width);
      }
      part.n_owned = part.count();
      facets.sides[side].push_back(std::move(part));
    }
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
    int n = std::max(1, static_cast<int>(std::ceil(samples * length[side] / shortest * (1 - 1e-9))));
    const bool curved = std::any_of(facets.sides[side].begin(), facets.sides[side].end(),
                                    [](const CellBlock& block) { return block.type.order == 2; });
    if (curved) n += n % 2;
    divisions[side] = n;
  }
  return divisions;
}

}  // namespace invar
