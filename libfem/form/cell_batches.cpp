#include "libfem/form/cell_batches.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "libfem/form/point_kernel.hpp"
#include "libfem/space/quadrature.hpp"
#include "libfem/space/reference_element.hpp"

namespace invar {
namespace {

Tabulation tabulate(CellType type, const Quadrature& rule) {
  const int dim = dimension_of(type.shape), n = node_count(type);
  const int points = static_cast<int>(rule.weights.size());
  Tabulation t{n, std::vector<double>(points * n), std::vector<double>(points * n * dim)};
  for (int q = 0; q < points; ++q) {
    shape_values(type, &rule.points[q * dim], &t.N[q * n]);
    shape_gradients(type, &rule.points[q * dim], &t.dN[q * n * dim]);
  }
  return t;
}

/// Puts the points of a new group behind those of the groups before.
void append(CellBatches& batches, BatchGroup group) {
  if (!batches.groups.empty()) {
    const BatchGroup& before = batches.groups.back();
    group.first_point = before.first_point + before.n_batches * before.n_points();
  }
  batches.groups.push_back(std::move(group));
}

BatchGroup pack(const DofMap& dofs, const CellBlock& block, const std::vector<int>& members,
                int first_cell, int degree) {
  BatchGroup g;
  g.type = block.type;
  g.n_nodes = node_count(block.type);
  g.degree = degree;
  const Quadrature rule = quadrature(block.type.shape, degree);
  g.weights = rule.weights;
  g.geometry = tabulate(block.type, rule);
  for (std::size_t i = 0; i < dofs.orders().size(); ++i)
    g.basis[i] = tabulate({block.type.shape, dofs.orders()[i]}, rule);
  constexpr int W = simd_width;
  const int count = static_cast<int>(members.size());
  g.n_batches = (count + W - 1) / W;
  g.node.resize(std::size_t(g.n_batches) * g.n_nodes * W);
  g.dof.resize(g.node.size());
  g.cell.resize(std::size_t(g.n_batches) * W);
  for (int b = 0; b < g.n_batches; ++b) {
    int active = 0, owned = 0;
    for (int l = 0; l < W; ++l) {
      const int i = b * W + l, member = members[std::min(i, count - 1)];
      active += i < count;
      owned += i < count && member < block.n_owned;
      g.cell[b * W + l] = first_cell + member;
      for (int a = 0; a < g.n_nodes; ++a) {
        const int node = block.nodes[std::size_t(member) * g.n_nodes + a];
        g.node[(std::size_t(b) * g.n_nodes + a) * W + l] = node;
        g.dof[(std::size_t(b) * g.n_nodes + a) * W + l] = dofs.first_dof(node);
      }
    }
    g.active.push_back(active);
    g.owned.push_back(owned);
  }
  return g;
}

CellBatches make(std::shared_ptr<const DofMap> dofs, const std::vector<CellBlock>& blocks, int dim,
                 const std::string& region, int degree) {
  const Region* where = nullptr;
  if (!region.empty()) {
    for (const Region& r : dofs->mesh().regions)
      if (r.name == region && r.dim == dim) where = &r;
    if (!where)
      throw std::invalid_argument("the mesh has no region '" + region + "' of dimension " + std::to_string(dim));
  }
  CellBatches out{dofs, {}};
  int first = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::vector<int> members;
    if (where) {
      if (i < where->members.size()) members = where->members[i];
    } else {
      members.resize(blocks[i].count());
      std::iota(members.begin(), members.end(), 0);
    }
    if (!members.empty()) append(out, pack(*dofs, blocks[i], members, first, degree));
    first += blocks[i].count();
  }
  return out;
}

/// The same tables for some of a group's cells, given by batch · simd_width + lane, ascending.
BatchGroup repack(const BatchGroup& from, const std::vector<int>& chosen) {
  constexpr int W = simd_width;
  BatchGroup g;
  g.type = from.type, g.n_nodes = from.n_nodes, g.degree = from.degree;
  g.weights = from.weights, g.geometry = from.geometry, g.basis = from.basis, g.test = from.test;
  const int count = static_cast<int>(chosen.size());
  g.n_batches = (count + W - 1) / W;
  g.node.resize(std::size_t(g.n_batches) * g.n_nodes * W);
  g.dof.resize(g.node.size());
  g.cell.resize(std::size_t(g.n_batches) * W);
  for (int b = 0; b < g.n_batches; ++b) {
    int active = 0, owned = 0;
    for (int l = 0; l < W; ++l) {
      const int i = b * W + l, old = chosen[std::min(i, count - 1)];
      active += i < count;
      owned += i < count && old % W < from.owned[old / W];
      g.cell[b * W + l] = from.cell[old];
      for (int a = 0; a < g.n_nodes; ++a) {
        const std::size_t to = (std::size_t(b) * g.n_nodes + a) * W + l;
        const std::size_t of = (std::size_t(old / W) * g.n_nodes + a) * W + old % W;
        g.node[to] = from.node[of];
        g.dof[to] = from.dof[of];
      }
    }
    g.active.push_back(active);
    g.owned.push_back(owned);
  }
  return g;
}

/// Positions batch · simd_width + lane of the group's cells that are wanted.
template <class Wanted>
std::vector<int> choose(const BatchGroup& g, Wanted wanted) {
  std::vector<int> chosen;
  for (int b = 0; b < g.n_batches; ++b)
    for (int l = 0; l < g.active[b]; ++l)
      if (wanted(g.cell[b * simd_width + l])) chosen.push_back(b * simd_width + l);
  return chosen;
}

/// Points of a reference facet as points of the cell, and its outward normal times its area.
struct SidePoints {
  Quadrature rule;     // points in the cell
  double normal[3]{};
};

template <int Dim>
SidePoints points_on_side(CellType cell, const ReferenceFacet& facet, int degree) {
  const std::vector<double> corner = reference_nodes({cell.shape, 1});
  const CellType type{facet.shape, 1};
  const Quadrature on_facet = quadrature(facet.shape, degree);
  SidePoints s{{{}, on_facet.weights}};
  const int n = vertex_count(facet.shape);
  std::vector<double> N(n), dN(n * (Dim - 1));
  for (int q = 0; q < on_facet.count(); ++q) {
    shape_values(type, &on_facet.points[q * (Dim - 1)], N.data());
    for (int i = 0; i < Dim; ++i) {
      double x = 0;
      for (int v = 0; v < n; ++v) x += N[v] * corner[facet.vertices[v] * Dim + i];
      s.rule.points.push_back(x);
    }
  }
  shape_gradients(type, on_facet.points.data(), dN.data());
  Matrix<double, Dim, Dim - 1> A{};
  for (int v = 0; v < n; ++v)
    for (int i = 0; i < Dim; ++i)
      for (int m = 0; m < Dim - 1; ++m) A(i, m) += dN[v * (Dim - 1) + m] * corner[facet.vertices[v] * Dim + i];
  const auto normal = area_vector(A);
  for (int i = 0; i < Dim; ++i) s.normal[i] = normal[i];
  return s;
}

/// Test functions v as v ⊗ normal, without a value.
Tabulation traces(const Tabulation& t, int dim, const double* normal) {
  Tabulation out{t.n_nodes, std::vector<double>(t.N.size(), 0.0), std::vector<double>(t.dN.size())};
  for (std::size_t k = 0; k < t.N.size(); ++k)
    for (int m = 0; m < dim; ++m) out.dN[k * dim + m] = t.N[k] * normal[m];
  return out;
}

}  // namespace

CellBatches CellBatches::only(const std::vector<int>& positions) const {
  CellBatches out{dofs, {}};
  for (const BatchGroup& g : groups) {
    const auto chosen = choose(g, [&](int cell) { return std::ranges::binary_search(positions, cell); });
    if (!chosen.empty()) append(out, repack(g, chosen));
  }
  return out;
}

CellBatches CellBatches::on_sides(const std::vector<CellSide>& sides) const {
  CellBatches out{dofs, {}};
  for (const BatchGroup& g : groups) {
    const auto facets = facets_of(g.type.shape);
    const int dim = dimension_of(g.type.shape);
    for (int f = 0; f < static_cast<int>(facets.size()); ++f) {
      const auto chosen = choose(g, [&](int cell) { return std::ranges::binary_search(sides, CellSide{cell, f}); });
      if (chosen.empty()) continue;
      BatchGroup side = repack(g, chosen);
      const SidePoints at = dim == 2 ? points_on_side<2>(g.type, facets[f], g.degree)
                                     : points_on_side<3>(g.type, facets[f], g.degree);
      side.weights = at.rule.weights;
      side.geometry = tabulate(g.type, at.rule);
      for (std::size_t i = 0; i < dofs->orders().size(); ++i) {
        side.basis[i] = tabulate({g.type.shape, dofs->orders()[i]}, at.rule);
        side.test[i] = traces(side.basis[i], dim, at.normal);
      }
      append(out, std::move(side));
    }
  }
  return out;
}

CellBatches CellBatches::on_cells(std::shared_ptr<const DofMap> dofs, const std::string& region, int degree) {
  const Mesh& mesh = dofs->mesh();
  return make(dofs, mesh.cells, mesh.dim, region, degree);
}

CellBatches CellBatches::on_facets(std::shared_ptr<const DofMap> dofs, const std::string& region, int degree) {
  const Mesh& mesh = dofs->mesh();
  return make(dofs, mesh.facets, mesh.dim - 1, region, degree);
}

}  // namespace invar
