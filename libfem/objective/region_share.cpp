#include "libfem/objective/region_share.hpp"

#include <algorithm>

#include "libfem/form/points_at_nodes.hpp"
#include "libfem/objective/facet_split.hpp"

namespace invar {
namespace {

bool true_on_all_ranks(bool here, MPI_Comm comm) {
  int all = here;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm);
  return all != 0;
}

/// Facets with their tractions.
struct TractionPiece {
  BoundaryPart where;
  RegionShare::Piece piece;
};

}  // namespace

RegionShare RegionShare::of(FormResidual& residual, const std::string& name, const std::array<bool, 3>& wanted, Of of,
                            const std::vector<std::string>& tied) {
  const Mesh& mesh = residual.dofs().mesh();
  const int dim = mesh.dim;
  RegionShare share;
  const Region* region = mesh.find_region(name);
  if (!region) return share;
  for (int node : region->nodes)
    if (node < mesh.n_owned_nodes) share.nodes.push_back(node);
  const std::size_t n = share.nodes.size();
  share.pieces.push_back({FormResidual::equation, std::vector<double>(n * dim, 1.0)});
  if (region->dim != dim - 1) return share;

  const std::vector<BoundaryFacet> facets = boundary_facets(mesh);
  const std::vector<char> in_region = facets_within(facets, mesh, *region);
  std::vector<TractionPiece> tractions;  // shared by components with the same split
  const auto piece_on = [&](BoundaryPart where) -> std::vector<double>& {
    for (TractionPiece& t : tractions)
      if (true_on_all_ranks(t.where == where, mesh.comm)) return t.piece.factor;
    const int part = residual.add_tractions(where);
    tractions.push_back({std::move(where), {part, std::vector<double>(n * dim, 0.0)}});
    return tractions.back().piece.factor;
  };
  for (int c = 0; c < dim; ++c) {
    if (!wanted[c]) continue;
    const FacetSplit split(residual.dofs(), facets, standings(residual, facets, c, tied), in_region, c);
    bool shared = false;
    for (std::size_t k = 0; k < n; ++k) {
      share.pieces[0].factor[k * dim + c] = split.fraction(share.nodes[k]);
      shared |= split.is_shared(share.nodes[k]);
    }
    if (true_on_all_ranks(!shared, mesh.comm)) continue;
    for (const bool in : {true, false}) {
      std::vector<double>& factor = piece_on(split.part(in));
      for (std::size_t k = 0; k < n; ++k)
        if (split.is_shared(share.nodes[k])) factor[k * dim + c] = (in ? 1.0 : 0.0) - split.fraction(share.nodes[k]);
    }
  }
  for (TractionPiece& t : tractions) share.pieces.push_back(std::move(t.piece));
  if (of == Of::surface) {
    // Loads at points act on each surface that has the node: weights are those of the region's nodes.
    BoundaryPart loads{{}, {points_at_nodes}, true};
    for (std::size_t f = 0; f < facets.size(); ++f)
      if (in_region[f]) loads.facets.insert(loads.facets.end(), facets[f].positions.begin(), facets[f].positions.end());
    std::ranges::sort(loads.facets);
    if (const int part = residual.add_tractions(loads); part >= 0)
      share.pieces.push_back({part, std::vector<double>(n * dim, -1.0)});
  }
  return share;
}

}  // namespace invar
