#include "libfluid/flow/open_boundary.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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

}  // namespace

std::vector<int> open_boundary(const FormResidual& residual, const std::vector<std::string>& closed, const std::string& within) {
  constexpr double flat = 1e-6;  // components of the normal that count as zero
  const Mesh& mesh = residual.dofs().mesh();
  const std::vector<char> held = prescribed(residual);
  const std::vector<char> wall = facets_in(mesh, closed), part = facets_in(mesh, {within});
  const auto among = [](const BoundaryFacet& facet, const std::vector<char>& flags) {
    return std::ranges::any_of(facet.positions, [&](int p) { return flags[p] != 0; });
  };
  // A rank has all facets at its own nodes; flags of ghosts are received.
  const DofMap scalar(residual.dofs().mesh_pointer(), {{"open", residual.dofs().components()[0].order}}, residual.dofs().comm());
  VecHandle open = scalar.create_vector();
  double* a = nullptr;
  check(VecGetArray(open, &a));
  for (const BoundaryFacet& facet : boundary_facets(mesh)) {
    if (!facet.exterior || among(facet, wall) || (!within.empty() && !among(facet, part))) continue;
    const std::array<double, 3> n = normal_of(mesh, facet);
    const double size = std::hypot(n[0], n[1], n[2]);
    bool free = false;
    for (const int node : facet.nodes)
      for (int i = 0; i < mesh.dim; ++i) free |= std::abs(n[i]) > flat * size && !held[std::size_t(node) * mesh.dim + i];
    for (const int node : facet.nodes)
      if (free && node < mesh.n_owned_nodes) a[scalar.dof(node, 0)] = 1;
  }
  check(VecRestoreArray(open, &a));
  check(VecGhostUpdateBegin(open, INSERT_VALUES, SCATTER_FORWARD));
  check(VecGhostUpdateEnd(open, INSERT_VALUES, SCATTER_FORWARD));
  const LocalArray all(open);
  std::vector<int> nodes;
  for (int node = 0; node < mesh.node_total(); ++node)
    if (all.data()[scalar.dof(node, 0)] != 0) nodes.push_back(node);
  return nodes;
}

}  // namespace invar
