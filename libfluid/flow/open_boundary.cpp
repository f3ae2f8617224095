#include "libfluid/flow/open_boundary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>

#include "libfem/mesh/boundary_facets.hpp"
#include "libfem/mesh/region_flags.hpp"

namespace invar {
namespace {

/// [node × dim]: whether a component of the velocity is prescribed there.
std::vector<char> prescribed(const FormResidual& residual) {
  const Mesh& mesh = residual.dofs().mesh();
  std::vector<char> held(std::size_t(mesh.node_total()) * mesh.dim, 0);
  for (const DirichletCondition& c : residual.dirichlet_conditions()) {
    if (c.component >= mesh.dim) continue;
    const std::vector<char> of = nodes_in(mesh, {c.region});
    for (std::size_t node = 0; node < of.size(); ++node)
      if (of[node] != char(c.outside)) held[node * mesh.dim + c.component] = 1;
    for (const int node : c.nodes) held[std::size_t(node) * mesh.dim + c.component] = 1;
  }
  return held;
}

/// Normal of the plane through the facet's first nodes, its corners.
std::array<double, 3> normal_of(const Mesh& mesh, const BoundaryFacet& facet) {
  const auto edge = [&](int k) {
    std::array<double, 3> d{};
    for (int i = 0; i < mesh.dim; ++i)
      d[i] = mesh.coordinates[std::size_t(facet.nodes[k]) * mesh.dim + i] - mesh.coordinates[std::size_t(facet.nodes[0]) * mesh.dim + i];
    return d;
  };
  const std::array<double, 3> a = edge(1);
  if (mesh.dim == 2) return {a[1], -a[0], 0};
  const std::array<double, 3> b = edge(2);
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Whether something flows through an exterior facet.
bool is_open(const Mesh& mesh, const BoundaryFacet& facet, const std::vector<char>& held) {
  constexpr double flat = 1e-6;  // components of the normal that count as zero
  const std::array<double, 3> n = normal_of(mesh, facet);
  const double size = std::hypot(n[0], n[1], n[2]);
  for (const int node : facet.nodes)
    for (int i = 0; i < mesh.dim; ++i)
      if (std::abs(n[i]) > flat * size && !held[std::size_t(node) * mesh.dim + i]) return true;
  return false;
}

/// Local nodes that a condition holds for; owners decide.
std::vector<int> agreed(const DofMap& scalar, const std::vector<char>& flags) {
  const Mesh& mesh = scalar.mesh();
  VecHandle of_owners = scalar.create_vector();
  double* a = nullptr;
  check(VecGetArray(of_owners, &a));
  for (int node = 0; node < mesh.n_owned_nodes; ++node)
    if (flags[node]) a[scalar.dof(node, 0)] = 1;
  check(VecRestoreArray(of_owners, &a));
  check(VecGhostUpdateBegin(of_owners, INSERT_VALUES, SCATTER_FORWARD));
  check(VecGhostUpdateEnd(of_owners, INSERT_VALUES, SCATTER_FORWARD));
  const LocalArray all(of_owners);
  std::vector<int> nodes;
  for (int node = 0; node < mesh.node_total(); ++node)
    if (const int dof = scalar.dof(node, 0); dof >= 0 && all.data()[dof] != 0) nodes.push_back(node);
  return nodes;
}

}  // namespace

std::vector<int> open_boundary(const FormResidual& residual, const std::vector<std::string>& closed) {
  return open_parts(residual, closed, {""}).front();
}

std::vector<std::vector<int>> open_parts(const FormResidual& residual, const std::vector<std::string>& closed, const std::vector<std::string>& regions) {
  const Mesh& mesh = residual.dofs().mesh();
  const std::vector<char> held = prescribed(residual), wall = facets_in(mesh, closed);
  const auto among = [](const BoundaryFacet& facet, const std::vector<char>& flags) {
    return std::ranges::any_of(facet.positions, [&](int p) { return flags[p] != 0; });
  };
  std::vector<std::vector<char>> within;  // [later regions first][facet of the mesh]
  for (const std::string& region : regions | std::views::reverse) within.push_back(facets_in(mesh, {region}));
  // Of each node the greatest set of regions of a facet there. A rank has all facets at its own nodes.
  std::vector<std::vector<char>> chosen(mesh.node_total());
  for (const BoundaryFacet& facet : boundary_facets(mesh)) {
    if (!facet.exterior || among(facet, wall) || !is_open(mesh, facet, held)) continue;
    std::vector<char> of_facet;
    for (std::size_t k = 0; k < within.size(); ++k) of_facet.push_back(regions.rbegin()[k].empty() || among(facet, within[k]));
    for (const int node : facet.nodes) chosen[node] = std::max(chosen[node], of_facet);
  }
  const DofMap scalar(residual.dofs().mesh_pointer(), {{"open", residual.dofs().components()[0].order}}, residual.dofs().comm());
  std::vector<std::vector<int>> parts;
  for (std::size_t k = regions.size(); k-- > 0;) {
    std::vector<char> flags(chosen.size(), 0);
    for (std::size_t node = 0; node < chosen.size(); ++node) flags[node] = !chosen[node].empty() && chosen[node][k];
    parts.push_back(agreed(scalar, flags));
  }
  return parts;
}

}  // namespace invar
