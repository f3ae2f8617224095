#include "libfem/design/field/cell_weights.hpp"

#include <numbers>

#include "libfem/form/lanes.hpp"
#include "libfem/form/point_kernel.hpp"
#include "libfem/form/q_form.hpp"

namespace invar {
namespace {

/// Geometry of a cell for the kernels.
template <int Dim, bool Axisymmetric>
struct CellPoint {
  static constexpr int dim = Dim, ref_dim = Dim;
  static constexpr bool uses_position = Axisymmetric;
};

}  // namespace

CellWeights::CellWeights(const CellBatches& domain, bool axisymmetric) {
  const Mesh& mesh = domain.dofs->mesh();
  for (const CellBlock& block : mesh.cells)
    for (int c = 0; c < block.count(); ++c) owned_.push_back(c < block.n_owned);
  if (mesh.dim == 3) build<3, false>(domain);
  else if (axisymmetric) build<2, true>(domain);
  else build<2, false>(domain);
}

template <int Dim, bool Axisymmetric>
void CellWeights::build(const CellBatches& domain) {
  using Q = CellPoint<Dim, Axisymmetric>;
  const std::vector<double>& coordinates = domain.dofs->mesh().coordinates;
  std::vector<std::vector<std::pair<int, double>>> rows(owned_.size());
  for (const BatchGroup& g : domain.groups)
    for (int b = 0; b < g.n_batches; ++b) {
      const int* nodes = &g.node[std::size_t(b) * g.n_nodes * simd_width];
      const BatchGroup::ComponentDofs dofs = g.dofs(0, b);
      Pack X[max_cell_nodes][Dim], w[max_cell_nodes];
      for (int a = 0; a < g.n_nodes; ++a) {
        w[a] = Pack(0.0);
        for (int i = 0; i < Dim; ++i) X[a][i] = invar::gather(coordinates.data(), nodes + a * simd_width, Dim, i);
      }
      const int n = g.basis[0].n_nodes;
      for (int q = 0; q < g.n_points(); ++q) {
        const PointShape shape = g.at(q, Dim);
        const auto point = geometry_of<Q, Pack>(shape, X);
        Pack dV = g.weights[q] * point.measure;
        if constexpr (Axisymmetric) dV = dV * ((2 * std::numbers::pi) * point.x[0]);
        for (int a = 0; a < n; ++a) w[a] += shape.unknown[0].N[a] * dV;
      }
      for (int l = 0; l < g.active[b]; ++l)
        for (int a = 0; a < n; ++a) rows[g.cell[b * simd_width + l]].emplace_back(dofs.at(a, l), w[a][l]);
    }
  for (const auto& row : rows) {
    start_.push_back(static_cast<int>(dof_.size()));
    double volume = 0;
    for (const auto& [dof, w] : row) {
      dof_.push_back(dof);
      weight_.push_back(w);
      volume += w;
    }
    volumes_.push_back(volume);
  }
  start_.push_back(static_cast<int>(dof_.size()));
}

void CellWeights::gather(const std::vector<double>& cells, Vec nodes) const {
  check(VecSet(nodes, 0.0));
  Vec local = nullptr;
  double* a = nullptr;
  check(VecGhostGetLocalForm(nodes, &local));
  check(VecSet(local, 0.0));
  check(VecGetArray(local, &a));
  for (std::size_t c = 0; c < cells.size(); ++c)
    for (int k = start_[c]; k < start_[c + 1] && owned_[c]; ++k) a[dof_[k]] += weight_[k] * cells[c];
  check(VecRestoreArray(local, &a));
  check(VecGhostRestoreLocalForm(nodes, &local));
  check(VecGhostUpdateBegin(nodes, ADD_VALUES, SCATTER_REVERSE));
  check(VecGhostUpdateEnd(nodes, ADD_VALUES, SCATTER_REVERSE));
}

void CellWeights::spread(Vec nodes, std::vector<double>& cells) const {
  const LocalArray local(nodes);
  cells.assign(owned_.size(), 0.0);
  for (std::size_t c = 0; c < cells.size(); ++c)
    for (int k = start_[c]; k < start_[c + 1]; ++k) cells[c] += weight_[k] * local.data()[dof_[k]];
}

}  // namespace invar
