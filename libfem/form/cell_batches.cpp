#include "libfem/form/cell_batches.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <stdexcept>

#include "libfem/form/point_kernel.hpp"
#include "libfem/form/points_at_nodes.hpp"
#include "libfem/form/tabulate.hpp"
#include "libfem/space/reference_element.hpp"

namespace invar {

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

namespace {

/// Appends the points of a new group to those of the previous groups.
void append(CellBatches& batches, BatchGroup group) {
  if (!batches.groups.empty()) {
    const BatchGroup& before = batches.groups.back();
    group.first_point = before.first_point + before.n_batches * before.n_points();
  }
  batches.groups.push_back(std::move(group));
}

/// Sets the dofs of the domain's components at the nodes of a group.
void number_unknowns(const CellBatches& domain, const std::string& region, BatchGroup& g) {
  const DofMap& dofs = *domain.dofs;
  const std::size_t n_places = g.node.size();
  std::vector<int> firsts;  // first component of each run of consecutive components
  g.whole_nodes = true;
  const auto nodes_with = [&](int component) {  // of a cell
    return std::min(g.n_nodes, node_count({g.type.shape, dofs.components()[component].order}));
  };
  const auto each_place = [&](int component, auto visit) {  // visit(position in `dof`, node); false: stop
    const int n = nodes_with(component);
    for (int b = 0; b < g.n_batches; ++b)
      for (int i = 0; i < n * simd_width; ++i) {
        const std::size_t at = std::size_t(b) * g.n_nodes * simd_width + i;
        if (!visit(at, g.node[at])) return false;
      }
    return true;
  };
  for (const int c : domain.components) {
    const int shift = g.runs.empty() ? 0 : g.runs.back().shift + 1;
    const bool continues =
        !firsts.empty() && nodes_with(c) <= nodes_with(firsts.back()) && each_place(c, [&](std::size_t, int node) {
          return dofs.dof(node, c) == dofs.dof(node, firsts.back()) + shift;
        });
    if (!continues) {
      const std::size_t start = g.dof.size();
      g.dof.resize(start + n_places, -1);
      if (!each_place(c, [&](std::size_t at, int node) { return (g.dof[start + at] = dofs.dof(node, c)) >= 0; }))
        throw std::invalid_argument("component '" + dofs.components()[c].name + "' does not live on all of " +
                                    (region.empty() ? "the mesh" : "region '" + region + "'"));
      firsts.push_back(c);
    }
    const int run = static_cast<int>(firsts.size()) - 1;
    g.runs.push_back({run, continues ? shift : 0});
    g.whole_nodes &= run == 0 && each_place(c, [&](std::size_t at, int node) {
      return g.dof[at] == dofs.first_dof(node);
    });
  }
}

BatchGroup pack(const CellBatches& domain, const CellBlock& block, const std::vector<int>& members,
                int first_cell, int degree) {
  BatchGroup g;
  g.type = block.type;
  g.n_nodes = node_count(block.type);
  g.degree = degree;
  const Quadrature rule = quadrature(block.type.shape, degree);
  g.weights = rule.weights;
  g.geometry = tabulate(block.type, rule);
  for (std::size_t i = 0; i < domain.orders.size(); ++i)
    g.basis[i] = tabulate({block.type.shape, domain.orders[i]}, rule);
  constexpr int W = simd_width;
  const int count = static_cast<int>(members.size());
  g.n_batches = (count + W - 1) / W;
  g.node.resize(std::size_t(g.n_batches) * g.n_nodes * W);
  g.cell.resize(std::size_t(g.n_batches) * W);
  for (int b = 0; b < g.n_batches; ++b) {
    int active = 0, owned = 0;
    for (int l = 0; l < W; ++l) {
      const int i = b * W + l, member = members[std::min(i, count - 1)];
      active += i < count;
      owned += i < count && member < block.n_owned;
      g.cell[b * W + l] = first_cell + member;
      for (int a = 0; a < g.n_nodes; ++a)
        g.node[(std::size_t(b) * g.n_nodes + a) * W + l] = block.nodes[std::size_t(member) * g.n_nodes + a];
    }
    g.active.push_back(active);
    g.owned.push_back(owned);
  }
  return g;
}

CellBatches make(std::shared_ptr<const DofMap> dofs, const std::vector<CellBlock>& blocks, int dim,
                 const std::string& region, int degree, std::vector<int> components) {
  const Region* where = nullptr;
  if (!region.empty()) {
    for (const Region& r : dofs->mesh().regions)
      if (r.name == region && r.dim == dim) where = &r;
    if (!where)
      throw std::invalid_argument("the mesh has no region '" + region + "' of dimension " + std::to_string(dim));
  }
  if (components.empty()) {
    for (int c = 0; c < dofs->n_components(); ++c)
      if (const std::string& home = dofs->components()[c].region; home.empty() || home == region)
        components.push_back(c);
  }
  CellBatches out{dofs, std::move(components)};
  for (const int order : dofs->orders())
    if (std::ranges::any_of(out.components, [&](int c) { return dofs->components()[c].order == order; }))
      out.orders.push_back(order);
  int first = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::vector<int> members;
    if (where) {
      if (i < where->members.size()) members = where->members[i];
    } else {
      members.resize(blocks[i].count());
      std::iota(members.begin(), members.end(), 0);
    }
    if (!members.empty()) {
      BatchGroup group = pack(out, blocks[i], members, first, degree);
      number_unknowns(out, region, group);
      append(out, std::move(group));
    }
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
  g.whole_nodes = from.whole_nodes, g.runs = from.runs;
  const int count = static_cast<int>(chosen.size());
  g.n_batches = (count + W - 1) / W;
  g.node.resize(std::size_t(g.n_batches) * g.n_nodes * W);
  const std::size_t n_runs = from.node.empty() ? 0 : from.dof.size() / from.node.size();
  g.dof.resize(n_runs * g.node.size());
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
        for (std::size_t r = 0; r < n_runs; ++r) g.dof[r * g.node.size() + to] = from.dof[r * from.node.size() + of];
      }
    }
    g.active.push_back(active);
    g.owned.push_back(owned);
  }
  return g;
}

/// Positions batch · simd_width + lane of the group's selected cells.
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

/// Tabulation of test functions v as v ⊗ normal, without values.
Tabulation traces(const Tabulation& t, int dim, const double* normal) {
  Tabulation out{t.n_nodes, std::vector<double>(t.N.size(), 0.0), std::vector<double>(t.dN.size())};
  for (std::size_t k = 0; k < t.N.size(); ++k)
    for (int m = 0; m < dim; ++m) out.dN[k * dim + m] = t.N[k] * normal[m];
  return out;
}

}  // namespace

CellBatches CellBatches::only(const std::vector<int>& positions) const {
  CellBatches out = without_cells();
  for (const BatchGroup& g : groups) {
    const bool at_nodes = g.type.shape == Shape::point;
    const auto chosen = choose(g, [&](int cell) { return std::ranges::binary_search(positions, at_nodes ? points_at_nodes : cell); });
    if (!chosen.empty()) append(out, repack(g, chosen));
  }
  return out;
}

CellBatches CellBatches::on_sides(const std::vector<CellSide>& sides) const {
  CellBatches out = without_cells();
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
      for (std::size_t i = 0; i < orders.size(); ++i) {
        side.basis[i] = tabulate({g.type.shape, orders[i]}, at.rule);
        side.test[i] = traces(side.basis[i], dim, at.normal);
      }
      append(out, std::move(side));
    }
  }
  return out;
}

CellBatches CellBatches::on_cells(std::shared_ptr<const DofMap> dofs, const std::string& region, int degree,
                                  std::vector<int> components) {
  const Mesh& mesh = dofs->mesh();
  return make(dofs, mesh.cells, mesh.dim, region, degree, std::move(components));
}

CellBatches CellBatches::on_facets(std::shared_ptr<const DofMap> dofs, const std::string& region, int degree,
                                   std::vector<int> components) {
  const Mesh& mesh = dofs->mesh();
  return make(dofs, mesh.facets, mesh.dim - 1, region, degree, std::move(components));
}

CellBatches CellBatches::on_points(std::shared_ptr<const DofMap> dofs, const std::string& region, std::vector<int> components) {
  const Mesh& mesh = dofs->mesh();
  const Region* where = mesh.find_region(region);
  if (!where) throw std::invalid_argument("the mesh has no region '" + region + "'");
  if (components.empty())
    for (int c = 0; c < dofs->n_components(); ++c)
      if (dofs->components()[c].region.empty() && dofs->components()[c].order == dofs->orders().front()) components.push_back(c);
  CellBatches out{dofs, std::move(components)};
  out.orders = {dofs->orders().front()};
  // Every rank adds to the rows of its own nodes.
  std::vector<int> own;
  std::ranges::copy_if(where->nodes, std::back_inserter(own), [&](int node) { return node < mesh.n_owned_nodes; });
  if (own.empty()) return out;
  BatchGroup g;
  g.type = {Shape::point, 1};
  g.n_nodes = 1;
  g.weights = {1};
  g.geometry = g.basis[0] = {1, {1.0}, {}};
  const int count = static_cast<int>(own.size());
  g.n_batches = (count + simd_width - 1) / simd_width;
  g.cell.assign(std::size_t(g.n_batches) * simd_width, 0);
  for (int b = 0; b < g.n_batches; ++b) {
    for (int l = 0; l < simd_width; ++l) g.node.push_back(own[std::min(b * simd_width + l, count - 1)]);
    g.active.push_back(std::min(simd_width, count - b * simd_width));
    g.owned.push_back(g.active.back());
  }
  number_unknowns(out, region, g);
  append(out, std::move(g));
  return out;
}

}  // namespace invar
