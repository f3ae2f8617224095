#include "libfem/objective/region_share.hpp"

#include <algorithm>
#include <cmath>

#include "libfem/form/boundary_part.hpp"
#include "libfem/form/points_at_nodes.hpp"

namespace invar {
namespace {

/// Ascending priority of facets for the force at a node: axis, facets inside, exterior, facets with prescribed values.
enum Membership { on_axis, inside, exterior, held };

/// Flags of the boundary facets in the region.
std::vector<char> membership(const std::vector<BoundaryFacet>& facets, const Mesh& mesh, const Region& region) {
  std::vector<char> named;
  for (std::size_t b = 0; b < mesh.facets.size(); ++b) {
    const std::size_t first = named.size();
    named.resize(first + mesh.facets[b].count(), 0);
    if (b >= region.members.size()) continue;
    for (int e : region.members[b]) named[first + e] = 1;
  }
  std::vector<char> in(facets.size(), 0);
  for (std::size_t f = 0; f < facets.size(); ++f)
    in[f] = std::ranges::any_of(facets[f].positions, [&](int p) { return named[p]; });
  return in;
}

/// The boundary facets on which a component is held: those of facet regions with a condition, and those all of whose
/// nodes other conditions hold.
std::vector<char> held_facets(const FormResidual& residual, const std::vector<BoundaryFacet>& facets, int component) {
  const Mesh& mesh = residual.dofs().mesh();
  std::vector<char> held(facets.size(), 0), nodes(mesh.node_total(), 0);
  for (const DirichletCondition& c : residual.dirichlet_conditions()) {
    if (c.component != component) continue;
    const Region* region = mesh.find_region(c.region);
    if (region && region->dim == mesh.dim - 1 && !c.outside) {
      const std::vector<char> in = membership(facets, mesh, *region);
      for (std::size_t f = 0; f < facets.size(); ++f) held[f] |= in[f];
      continue;
    }
    std::vector<char> of_region(nodes.size(), 0);
    if (region)
      for (int node : region->nodes) of_region[node] = 1;
    for (std::size_t node = 0; node < nodes.size(); ++node) nodes[node] |= of_region[node] != char(c.outside);
  }
  for (std::size_t f = 0; f < facets.size(); ++f)
    held[f] |= std::ranges::all_of(facets[f].nodes, [&](int node) { return nodes[node] != 0; });
  return held;
}

/// The split of one component.
class ComponentSplit {
 public:
  ComponentSplit(FormResidual& residual, const std::vector<BoundaryFacet>& facets, const std::vector<char>& in_region,
                 int component)
      : dofs_(residual.dofs()), facets_(facets), in_region_(in_region), component_(component),
        membership_(facets.size()) {
    const std::vector<char> is_held = held_facets(residual, facets, component);
    for (std::size_t f = 0; f < facets.size(); ++f) {
      membership_[f] = is_held[f] ? held : facets[f].exterior ? exterior : inside;
      if (residual.around_axis() && lies_on_axis(facets[f])) membership_[f] = on_axis;
    }
    count();
  }

  /// Fraction of the facets of highest priority at an owned node that are in the region.
  double fraction(int node) const { return n_all_[node] ? double(n_in_[node]) / n_all_[node] : 0.0; }
  bool is_shared(int node) const { return shared_[node]; }
  /// The facets of highest priority at shared nodes: those in the region, or the others.
  BoundaryPart part(bool in_region) const {
    BoundaryPart p;
    for (std::size_t f = 0; f < facets_.size(); ++f) {
      const BoundaryFacet& facet = facets_[f];
      if (membership_[f] != held || bool(in_region_[f]) != in_region) continue;
      if (std::ranges::none_of(facet.nodes, [&](int node) { return shared_[node]; })) continue;
      for (const CellSide& side : facet.sides)
        if (side.cell >= 0) p.sides.push_back(side);
      p.facets.insert(p.facets.end(), facet.positions.begin(), facet.positions.end());
    }
    std::ranges::sort(p.sides);
    std::ranges::sort(p.facets);
    return p;
  }

 private:
  /// x = 0 but for round-off.
  bool lies_on_axis(const BoundaryFacet& facet) const {
    const auto x = [&](int node, int i) { return dofs_.mesh().coordinates[std::size_t(node) * 2 + i]; };
    const double length = std::abs(x(facet.nodes[1], 1) - x(facet.nodes[0], 1));
    return std::ranges::all_of(facet.nodes, [&](int node) { return std::abs(x(node, 0)) < 1e-9 * length; });
  }

  void count() {
    const Mesh& mesh = dofs_.mesh();
    const int n = mesh.node_total();
    std::vector<char> first(n, on_axis);  // the highest priority at the node
    for (std::size_t f = 0; f < facets_.size(); ++f)
      for (int node : facets_[f].nodes) first[node] = std::max<char>(first[node], membership_[f]);
    n_all_.assign(n, 0), n_in_.assign(n, 0);
    for (std::size_t f = 0; f < facets_.size(); ++f)
      for (int node : facets_[f].nodes)
        if (first[node] == membership_[f]) {
          ++n_all_[node];
          n_in_[node] += in_region_[f] != 0;
        }
    // Only the owner of a node knows all of its facets.
    VecHandle flags = dofs_.create_vector();
    double* a = nullptr;
    check(VecGetArray(flags, &a));
    for (int node = 0; node < mesh.n_owned_nodes; ++node)
      if (const int dof = dofs_.dof(node, component_); dof >= 0)
        a[dof] = first[node] == held && n_in_[node] > 0 && n_in_[node] < n_all_[node];
    check(VecRestoreArray(flags, &a));
    const LocalArray local(flags);
    shared_.assign(n, 0);
    for (int node = 0; node < n; ++node)
      if (const int dof = dofs_.dof(node, component_); dof >= 0) shared_[node] = local.data()[dof] != 0;
  }

  const DofMap& dofs_;
  const std::vector<BoundaryFacet>& facets_;
  const std::vector<char>& in_region_;
  int component_;
  std::vector<Membership> membership_;     // [facet]
  std::vector<int> n_all_, n_in_;    // [node] facets of highest priority; valid at owned nodes
  std::vector<char> shared_;         // [node]
};

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

RegionShare RegionShare::of(FormResidual& residual, const std::string& name, const std::array<bool, 3>& wanted, Of of) {
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
  const std::vector<char> in_region = membership(facets, mesh, *region);
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
    const ComponentSplit split(residual, facets, in_region, c);
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
