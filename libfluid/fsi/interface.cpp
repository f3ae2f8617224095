#include "libfluid/fsi/interface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "libfem/mesh/all_gather.hpp"
#include "libfem/mesh/boundary_facets.hpp"
#include "libfem/mesh/box_tree.hpp"
#include "libfem/mesh/nearest_on_facet.hpp"
#include "libfem/mesh/region_flags.hpp"
#include "libfem/space/reference_element.hpp"

namespace invar {
namespace {

bool on_any_rank(bool here, MPI_Comm comm) {
  int any = here;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm);
  return any != 0;
}

using Place = std::array<double, 3>;

/// A facet in a message: number and positions of its nodes.
struct PlacedFacet {
  double n_nodes = 0;
  double x[27] = {};  // [node × dim], m

  FacetShape shape(int dim) const {
    const int n = static_cast<int>(n_nodes);
    if (dim == 2) return {{Shape::segment, n - 1}, dim};
    return {{n % 3 == 0 && n < 9 ? Shape::triangle : Shape::quadrilateral, n < 6 ? 1 : 2}, dim};
  }
  BoundingBox box(int dim) const {
    BoundingBox box;
    for (int i = 0; i < dim; ++i) {
      box.low[i] = box.high[i] = x[i];
      for (int a = 1; a < int(n_nodes); ++a) box.low[i] = std::min(box.low[i], x[a * dim + i]), box.high[i] = std::max(box.high[i], x[a * dim + i]);
    }
    return box;
  }
  double size(int dim) const {
    const BoundingBox b = box(dim);
    return std::hypot(b.high[0] - b.low[0], b.high[1] - b.low[1], b.high[2] - b.low[2]);
  }
  Place middle(int dim) const {
    const FacetShape facet = shape(dim);
    const std::vector<double> corners = reference_nodes({facet.type.shape, 1});
    double centre[2] = {0, 0}, N[9];
    for (std::size_t k = 0; k < corners.size(); ++k) centre[k % (dim - 1)] += corners[k] / vertex_count(facet.type.shape);
    shape_values(facet.type, centre, N);
    Place at{};
    for (int a = 0; a < int(n_nodes); ++a)
      for (int i = 0; i < dim; ++i) at[i] += N[a] * x[a * dim + i];
    return at;
  }
};

PlacedFacet placed(const Mesh& mesh, const BoundaryFacet& facet) {
  PlacedFacet p{.n_nodes = double(facet.nodes.size())};
  double* to = p.x;
  for (const int node : facet.nodes) to = std::copy_n(&mesh.coordinates[std::size_t(node) * mesh.dim], mesh.dim, to);
  return p;
}

std::vector<PlacedFacet> gathered(const std::vector<PlacedFacet>& here, MPI_Comm comm) {
  constexpr std::size_t stride = sizeof(PlacedFacet) / sizeof(double);
  const auto* first = reinterpret_cast<const double*>(here.data());
  const std::vector<double> all = all_gather(std::vector<double>(first, first + here.size() * stride), MPI_DOUBLE, comm);
  std::vector<PlacedFacet> facets(all.size() / stride);
  std::copy(all.begin(), all.end(), reinterpret_cast<double*>(facets.data()));
  return facets;
}

}  // namespace

bool lies_in(const Mesh& mesh, const std::string& fluid, const Region& region) {
  const std::vector<char> in_fluid = members_in(mesh.cells, *mesh.find_region(fluid));
  bool outside = false;
  if (region.dim == mesh.dim) {
    const std::vector<char> asked = members_in(mesh.cells, region);
    for (std::size_t c = 0; c < asked.size(); ++c) outside |= asked[c] && !in_fluid[c];
  } else {
    const std::vector<char> asked = members_in(mesh.facets, region);
    for (const BoundaryFacet& facet : boundary_facets(mesh))
      if (std::ranges::any_of(facet.positions, [&](int p) { return asked[p] != 0; })) {
        const bool knows_all = facet.exterior || std::ranges::all_of(facet.sides, [](const CellSide& side) { return side.cell >= 0; });
        outside |= knows_all && std::ranges::none_of(facet.sides, [&](const CellSide& side) { return side.cell >= 0 && in_fluid[side.cell]; });
      }
  }
  return !on_any_rank(outside, mesh.comm);
}

BehindFacets behind_facets(const Mesh& mesh, const std::string& fluid, const std::vector<std::string>& bodies, const Region& facets) {
  BehindFacets found;
  if (facets.dim == mesh.dim - 1) {
    const std::vector<char> asked = members_in(mesh.facets, facets), in_fluid = members_in(mesh.cells, *mesh.find_region(fluid));
    std::vector<char> in_body(in_fluid.size(), 0);
    for (const std::string& body : bodies) {
      const std::vector<char> in = members_in(mesh.cells, *mesh.find_region(body));
      for (std::size_t c = 0; c < in.size(); ++c) in_body[c] |= in[c];
    }
    for (const BoundaryFacet& facet : boundary_facets(mesh)) {
      if (std::ranges::none_of(facet.positions, [&](int p) { return asked[p] != 0; })) continue;
      const auto bounds = [&](const std::vector<char>& part) {
        return std::ranges::any_of(facet.sides, [&](const CellSide& side) { return side.cell >= 0 && part[side.cell]; });
      };
      found.fluid |= facet.exterior && bounds(in_fluid);
      found.body |= facet.exterior && bounds(in_body);
      found.between |= bounds(in_body) && bounds(in_fluid);
      found.within |= std::ranges::all_of(facet.sides, [&](const CellSide& side) { return side.cell >= 0 && in_fluid[side.cell]; });
    }
  }
  for (bool* any : {&found.fluid, &found.body, &found.between, &found.within}) *any = on_any_rank(*any, mesh.comm);
  return found;
}

bool Interface::joined() const {
  const std::vector<char> in_first = nodes_in(mesh, {first}), in_second = nodes_in(mesh, {second});
  bool any = false;
  for (std::size_t node = 0; node < in_first.size(); ++node) any |= in_first[node] && in_second[node];
  return on_any_rank(any, mesh.comm);
}

std::optional<Place> Interface::unmatched() const {
  constexpr double near = 1e-3;
  const int dim = mesh.dim;
  const std::vector<char> in_first = members_in(mesh.cells, *mesh.find_region(first)), in_second = members_in(mesh.cells, *mesh.find_region(second));
  std::vector<PlacedFacet> of_first, of_second;
  for (const BoundaryFacet& facet : boundary_facets(mesh)) {
    const int cell = std::max(facet.sides[0].cell, facet.sides[1].cell);
    if (!facet.exterior || cell < 0) continue;
    if (in_first[cell]) of_first.push_back(placed(mesh, facet));
    else if (in_second[cell]) of_second.push_back(placed(mesh, facet));
  }
  of_first = gathered(of_first, mesh.comm);
  std::vector<BoundingBox> boxes;
  for (const PlacedFacet& facet : of_first) {
    BoundingBox box = facet.box(dim);
    const double margin = 0.1 * facet.size(dim);  // second-order facets are curved
    for (int i = 0; i < dim; ++i) box.low[i] -= margin, box.high[i] += margin;
    boxes.push_back(box);
  }
  const BoxTree tree(boxes);
  Place least;
  least.fill(std::numeric_limits<double>::infinity());
  for (const PlacedFacet& facet : of_second) {
    const Place middle = facet.middle(dim);
    const double reach = near * facet.size(dim);
    BoundingBox around{middle, middle};
    for (int i = 0; i < dim; ++i) around.low[i] -= reach, around.high[i] += reach;
    bool touches = false;
    tree.visit_meeting(around, 0, [&](int k) {
      touches = touches || nearest_on_facet(of_first[k].shape(dim), of_first[k].x, middle.data()).distance <= reach;
    });
    if (touches) least = std::min(least, middle);
  }
  // Chosen by coordinates, so that it does not depend on the partition.
  const std::vector<double> all = all_gather(std::vector<double>(least.begin(), least.end()), MPI_DOUBLE, mesh.comm);
  for (std::size_t r = 0; r < all.size(); r += 3) least = std::min(least, {all[r], all[r + 1], all[r + 2]});
  if (!std::isfinite(least[0])) return std::nullopt;
  return least;
}

}  // namespace invar
