#include "libfem/form/cell_batches.hpp"

#include <numeric>
#include <stdexcept>

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

BatchGroup pack(const DofMap& dofs, const CellBlock& block, const std::vector<int>& members,
                int first_cell, int degree) {
  BatchGroup g;
  g.type = block.type;
  g.n_nodes = node_count(block.type);
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
    if (!members.empty()) {
      BatchGroup group = pack(*dofs, blocks[i], members, first, degree);
      if (!out.groups.empty()) {
        const BatchGroup& before = out.groups.back();
        group.first_point = before.first_point + before.n_batches * before.n_points();
      }
      out.groups.push_back(std::move(group));
    }
    first += blocks[i].count();
  }
  return out;
}

}  // namespace

CellBatches CellBatches::on_cells(std::shared_ptr<const DofMap> dofs, const std::string& region, int degree) {
  const Mesh& mesh = dofs->mesh();
  return make(dofs, mesh.cells, mesh.dim, region, degree);
}

CellBatches CellBatches::on_facets(std::shared_ptr<const DofMap> dofs, const std::string& region, int degree) {
  const Mesh& mesh = dofs->mesh();
  return make(dofs, mesh.facets, mesh.dim - 1, region, degree);
}

}  // namespace invar
