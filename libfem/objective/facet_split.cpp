#include "libfem/objective/facet_split.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "libfem/mesh/region_flags.hpp"

namespace invar {

std::vector<char> facets_within(const std::vector<BoundaryFacet>& facets, const Mesh& mesh, const Region& region) {
  const std::vector<char> named = members_in(mesh.facets, region);
  std::vector<char> in(facets.size(), 0);
  for (std::size_t f = 0; f < facets.size(); ++f)
    in[f] = std::ranges::any_of(facets[f].positions, [&](int p) { return named[p]; });
  return in;
}

std::vector<char> held_facets(const FormResidual& residual, const std::vector<BoundaryFacet>& facets, int component) {
  const Mesh& mesh = residual.dofs().mesh();
  std::vector<char> held(facets.size(), 0), nodes(mesh.node_total(), 0);
  for (const DirichletCondition& c : residual.dirichlet_conditions()) {
    if (c.component != component) continue;
    const Region* region = mesh.find_region(c.region);
    if (region && region->dim == mesh.dim - 1 && !c.outside) {
      const std::vector<char> in = facets_within(facets, mesh, *region);
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

std::vector<Standing> standings(const FormResidual& residual, const std::vector<BoundaryFacet>& facets, int component,
                                const std::vector<std::string>& tied) {
  const Mesh& mesh = residual.dofs().mesh();
  const std::vector<double>& at = mesh.coordinates;
  const auto lies_on_axis = [&](const BoundaryFacet& facet) {  // x = 0 but for round-off
    const auto x = [&](int node, int i) { return at[std::size_t(node) * 2 + i]; };
    const double length = std::abs(x(facet.nodes[1], 1) - x(facet.nodes[0], 1));
    return std::ranges::all_of(facet.nodes, [&](int node) { return std::abs(x(node, 0)) < 1e-9 * length; });
  };
  const std::vector<char> is_held = held_facets(residual, facets, component);
  std::vector<char> is_tied(facets.size(), 0);
  for (const std::string& name : tied)
    if (const Region* region = mesh.find_region(name); region && region->dim == mesh.dim - 1) {
      const std::vector<char> in = facets_within(facets, mesh, *region);
      for (std::size_t f = 0; f < facets.size(); ++f) is_tied[f] |= in[f];
    }
  std::vector<Standing> all;
  for (std::size_t f = 0; f < facets.size(); ++f) {
    all.push_back(is_held[f] ? Standing::held : is_tied[f] ? Standing::tied : facets[f].exterior ? Standing::exterior : Standing::inside);
    if (residual.around_axis() && lies_on_axis(facets[f])) all.back() = Standing::on_axis;
  }
  return all;
}

FacetSplit::FacetSplit(const DofMap& dofs, const std::vector<BoundaryFacet>& facets, std::vector<Standing> standings, const std::vector<char>& in_region,
                       int component)
    : dofs_(dofs), facets_(facets), standings_(std::move(standings)), in_region_(in_region), component_(component) {
  count();
}

BoundaryPart FacetSplit::part(bool in_region) const {
  BoundaryPart p;
  for (std::size_t f = 0; f < facets_.size(); ++f) {
    const BoundaryFacet& facet = facets_[f];
    if (standings_[f] < Standing::tied || bool(in_region_[f]) != in_region) continue;
    if (std::ranges::none_of(facet.nodes, [&](int node) { return shared_[node]; })) continue;
    for (const CellSide& side : facet.sides)
      if (side.cell >= 0) p.sides.push_back(side);
    p.facets.insert(p.facets.end(), facet.positions.begin(), facet.positions.end());
  }
  std::ranges::sort(p.sides);
  std::ranges::sort(p.facets);
  return p;
}

void FacetSplit::count() {
  const Mesh& mesh = dofs_.mesh();
  const int n = mesh.node_total();
  std::vector<Standing> first(n, Standing::on_axis);  // the highest priority at the node
  for (std::size_t f = 0; f < facets_.size(); ++f)
    for (int node : facets_[f].nodes) first[node] = std::max(first[node], standings_[f]);
  std::vector<int> n_all(n, 0), n_in(n, 0);       // facets of highest priority
  std::vector<char> inside(n, 0), outside(n, 0);  // there are held or tied facets in the region, and others
  for (std::size_t f = 0; f < facets_.size(); ++f)
    for (int node : facets_[f].nodes) {
      if (standings_[f] >= Standing::tied) (in_region_[f] ? inside : outside)[node] = 1;
      if (first[node] != standings_[f]) continue;
      ++n_all[node];
      n_in[node] += in_region_[f] != 0;
    }
  // Only the owner of a node knows all of its facets.
  const VecHandle share = dofs_.create_vector(), flags = dofs_.create_vector();
  const auto own = [&](Vec to, const auto& value) {
    double* a = nullptr;
    check(VecGetArray(to, &a));
    for (int node = 0; node < mesh.n_owned_nodes; ++node)
      if (const int dof = dofs_.dof(node, component_); dof >= 0) a[dof] = value(node);
    check(VecRestoreArray(to, &a));
  };
  own(share, [&](int node) { return n_all[node] ? double(n_in[node]) / n_all[node] : 0.0; });
  own(flags, [&](int node) { return double(inside[node] && outside[node]); });
  const LocalArray shares(share), shared(flags);
  fraction_.assign(n, 0.0), shared_.assign(n, 0);
  for (int node = 0; node < n; ++node)
    if (const int dof = dofs_.dof(node, component_); dof >= 0) fraction_[node] = shares.data()[dof], shared_[node] = shared.data()[dof] != 0;
}

}  // namespace invar
