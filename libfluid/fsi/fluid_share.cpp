#include "libfluid/fsi/fluid_share.hpp"

#include <algorithm>

#include "libfem/mesh/part_boundary.hpp"
#include "libfem/mesh/region_flags.hpp"
#include "libfem/objective/facet_split.hpp"

namespace invar {
namespace {

constexpr int wet_cell = 0, other_cell = 1, asked_cell = 2;  // labels

bool is_on_any_rank(bool here, MPI_Comm comm) {
  int any = here;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm);
  return any != 0;
}

}  // namespace

std::vector<FluidShare> fluid_shares(const FormResidual& residual, const std::string& fluid, const std::string& name, const std::vector<std::string>& tied) {
  const DofMap& dofs = residual.dofs();
  const Mesh& mesh = dofs.mesh();
  const int dim = mesh.dim;
  const Region& region = *mesh.find_region(name);
  const std::size_t n = std::size_t(mesh.node_total()) * dim;
  const std::vector<char> wet = members_in(mesh.cells, *mesh.find_region(fluid));
  std::vector<int> label(wet.size(), other_cell);
  for (std::size_t c = 0; c < wet.size(); ++c)
    if (wet[c]) label[c] = wet_cell;
  bool surface = region.dim >= dim - 1;
  if (region.dim == dim) {
    const std::vector<char> asked = members_in(mesh.cells, region);
    bool meets_fluid = false;
    for (std::size_t c = 0; c < wet.size(); ++c) {
      meets_fluid |= asked[c] && wet[c];
      if (asked[c] && !wet[c]) label[c] = asked_cell;
    }
    surface = !is_on_any_rank(meets_fluid, mesh.comm);
  }
  std::vector<FluidShare> shares{{std::nullopt, std::vector<double>(n, 1.0)}};
  if (!surface) return shares;

  std::vector<BoundaryFacet> facets;
  std::vector<int> beyond;
  for (PartFacet& found : part_boundary(mesh, label)) facets.push_back(std::move(found.facet)), beyond.push_back(found.beyond);
  std::vector<char> in_region(facets.size(), 0);
  if (region.dim < dim) in_region = facets_within(facets, mesh, region);
  else
    for (std::size_t f = 0; f < facets.size(); ++f) in_region[f] = beyond[f] == asked_cell;
  for (int i = 0; i < dim; ++i) {
    std::vector<Standing> standing = standings(residual, facets, i, tied);
    for (std::size_t f = 0; f < facets.size(); ++f)
      if (beyond[f] > 0) standing[f] = Standing::held;
    const FacetSplit split(dofs, facets, std::move(standing), in_region, i);
    bool shared = false;
    for (int node = 0; node < mesh.node_total(); ++node) {
      shares[0].factor[std::size_t(node) * dim + i] = split.fraction(node);
      shared |= split.is_shared(node);
    }
    if (!is_on_any_rank(shared, mesh.comm)) continue;
    for (const bool in : {true, false}) {
      FluidShare& share = shares.emplace_back(FluidShare{split.part(in), std::vector<double>(n, 0.0)});
      for (int node = 0; node < mesh.node_total(); ++node)
        if (split.is_shared(node)) share.factor[std::size_t(node) * dim + i] = (in ? 1.0 : 0.0) - split.fraction(node);
    }
  }
  FluidShare loads{BoundaryPart{{}, {}, true}, std::vector<double>(n, -1.0)};
  for (std::size_t f = 0; f < facets.size(); ++f)
    if (in_region[f]) loads.where->facets.insert(loads.where->facets.end(), facets[f].positions.begin(), facets[f].positions.end());
  std::ranges::sort(loads.where->facets);
  shares.push_back(std::move(loads));
  return shares;
}

}  // namespace invar
