#include "libfluid/fsi/interface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "libfem/mesh/all_gather.hpp"
#include "libfem/mesh/boundary_facets.hpp"
#include "libfem/mesh/box_tree.hpp"
#include "libfem/mesh/nearest_on_facet.hpp"
#include "libfluid/fsi/region_flags.hpp"

namespace invar {
namespace {

constexpr int dim = 2;

bool on_any_rank(bool here, MPI_Comm comm) {
  int any = here;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm);
  return any != 0;
}

/// Nodes of a facet of second order [3 × dim].
std::vector<double> places(const Mesh& mesh, const BoundaryFacet& facet) {
  std::vector<double> x;
  for (const int node : facet.nodes) x.insert(x.end(), &mesh.coordinates[std::size_t(node) * dim], &mesh.coordinates[std::size_t(node) * dim] + dim);
  return x;
}

double length(const double* x) { return std::hypot(x[dim] - x[0], x[dim + 1] - x[1]); }

BoundingBox box_of(const double* x) {
  BoundingBox box;
  const double margin = length(x);  // a facet of second order is curved
  for (int i = 0; i < dim; ++i) {
    box.low[i] = std::min(x[i], x[dim + i]) - margin;
    box.high[i] = std::max(x[i], x[dim + i]) + margin;
  }
  return box;
}

}  // namespace

Interface::Behind Interface::behind(const Region& facets) const {
  Behind found;
  if (facets.dim == mesh.dim - 1) {
    const std::vector<char> asked = members_in(mesh.facets, facets);
    const std::vector<char> in_fluid = members_in(mesh.cells, *mesh.find_region(fluid)), in_body = members_in(mesh.cells, *mesh.find_region(body));
    for (const BoundaryFacet& facet : boundary_facets(mesh)) {
      if (std::ranges::none_of(facet.positions, [&](int p) { return asked[p] != 0; })) continue;
      const auto bounds = [&](const std::vector<char>& part) {
        return std::ranges::any_of(facet.sides, [&](const CellSide& side) { return side.cell >= 0 && part[side.cell]; });
      };
      found.body |= facet.exterior && bounds(in_body);
      found.between |= bounds(in_body) && bounds(in_fluid);
    }
  }
  found.body = on_any_rank(found.body, mesh.comm);
  found.between = on_any_rank(found.between, mesh.comm);
  return found;
}

bool Interface::joined() const {
  const std::vector<char> in_fluid = nodes_in(mesh, fluid), in_body = nodes_in(mesh, body);
  bool any = false;
  for (std::size_t node = 0; node < in_fluid.size(); ++node) any |= in_fluid[node] && in_body[node];
  return on_any_rank(any, mesh.comm);
}

std::optional<std::array<double, 2>> Interface::unmatched() const {
  constexpr double near = 1e-3;
  const std::vector<char> in_fluid = members_in(mesh.cells, *mesh.find_region(fluid)), in_body = members_in(mesh.cells, *mesh.find_region(body));
  std::vector<double> of_fluid, of_body;
  for (const BoundaryFacet& facet : boundary_facets(mesh)) {
    const int cell = std::max(facet.sides[0].cell, facet.sides[1].cell);
    if (!facet.exterior || cell < 0) continue;
    const std::vector<double> x = places(mesh, facet);
    std::vector<double>* part = in_fluid[cell] ? &of_fluid : in_body[cell] ? &of_body : nullptr;
    if (part) part->insert(part->end(), x.begin(), x.end());
  }
  of_fluid = all_gather(of_fluid, MPI_DOUBLE, mesh.comm);
  constexpr std::size_t stride = 3 * dim;
  std::vector<BoundingBox> boxes;
  for (std::size_t f = 0; f < of_fluid.size(); f += stride) boxes.push_back(box_of(&of_fluid[f]));
  const BoxTree tree(boxes);
  const FacetShape shape{{Shape::segment, 2}, dim};
  std::array<double, dim> first{};
  first.fill(std::numeric_limits<double>::infinity());
  for (std::size_t f = 0; f < of_body.size(); f += stride) {
    const double* middle = &of_body[f + 2 * dim];
    bool touches = false;
    tree.visit_near({middle[0], middle[1], 0}, [&](int k) {
      touches |= nearest_on_facet(shape, &of_fluid[k * stride], middle).distance <= near * length(&of_body[f]);
      return 0.0;  // in whose box it is
    });
    if (touches) first = std::min(first, {middle[0], middle[1]});
  }
  // By its coordinates, so that it is the same on any number of ranks.
  const std::vector<double> all = all_gather(std::vector<double>(first.begin(), first.end()), MPI_DOUBLE, mesh.comm);
  for (std::size_t r = 0; r < all.size(); r += dim) first = std::min(first, {all[r], all[r + 1]});
  if (!std::isfinite(first[0])) return std::nullopt;
  return first;
}

}  // namespace invar
