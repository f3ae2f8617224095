#include "libfem/form/row_map.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "libfem/form/assembled_matrix.hpp"
#include "libfem/form/cell_batches.hpp"
#include "libfem/form/element_places.hpp"

namespace invar {

RowMap map_rows(const DofMap& dofs, const std::vector<int>& from, const std::vector<int>& to) {
  RowMap rows(dofs.n_local(), -1);
  for (int node = 0; node < dofs.mesh().node_total(); ++node)
    for (std::size_t k = 0; k < from.size(); ++k)
      if (const int dof = dofs.dof(node, from[k]); dof >= 0 && to[k] >= 0) rows[dof] = dofs.dof(node, to[k]);
  return rows;
}

RowMap select_rows(const DofMap& dofs, const RowSelection& rows) {
  const Mesh& mesh = dofs.mesh();
  std::vector<char> selected(mesh.node_total(), rows.regions.empty() || rows.outside);
  for (const std::string& name : rows.regions) {
    const Region* region = mesh.find_region(name);
    if (!region) throw std::invalid_argument("the mesh has no region '" + name + "'");
    for (const int node : region->nodes) selected[node] = !rows.outside;
  }
  RowMap map(dofs.n_local(), -1);
  for (int node = 0; node < mesh.node_total(); ++node)
    for (int k = 0; selected[node] && k < dofs.dof_count(node); ++k)
      if (rows.components.empty() || std::ranges::count(rows.components, dofs.component_at(node, k)) > 0)
        map[dofs.first_dof(node) + k] = dofs.first_dof(node) + k;
  return map;
}

RowMapped::RowMapped(std::unique_ptr<WeakForm> form, std::shared_ptr<const DofMap> dofs, RowMap rows)
    : form_(std::move(form)), dofs_(std::move(dofs)), rows_(std::move(rows)) {}

FormTraits RowMapped::traits() const {
  FormTraits t = form_->traits();
  t.symmetric = t.potential = false;
  return t;
}

std::unique_ptr<WeakForm> RowMapped::on_boundary(const BoundaryPart& part) const {
  std::unique_ptr<WeakForm> form = form_->on_boundary(part);
  if (!form) return nullptr;
  return std::make_unique<RowMapped>(std::move(form), dofs_, rows_);
}

std::optional<FormCoupling> RowMapped::coupling() const {
  std::optional<FormCoupling> c = form_->coupling();
  if (!c) return c;
  if (c->rows.empty()) c->rows = rows_;
  else
    for (int& row : c->rows) row = row < 0 ? -1 : rows_[row];
  return c;
}

void RowMapped::add(const std::vector<double>& r, double* to) const {
  for (std::size_t i = 0; i < r.size(); ++i)
    if (rows_[i] >= 0) to[rows_[i]] += r[i];
}

/// The transpose of `add`.
std::vector<double> RowMapped::multiplier(const double* lambda) const {
  std::vector<double> own(rows_.size(), 0.0);
  for (std::size_t i = 0; i < own.size(); ++i)
    if (rows_[i] >= 0) own[i] = lambda[rows_[i]];
  return own;
}

bool RowMapped::residual(const FormState& at, double* r) const {
  std::vector<double> own(rows_.size(), 0.0);
  if (!form_->residual(at, own.data())) return false;
  add(own, r);
  return true;
}

void RowMapped::jvp(const FormState& at, const FormTangent& direction, double* r_dot) const {
  std::vector<double> own(rows_.size(), 0.0);
  form_->jvp(at, direction, own.data());
  add(own, r_dot);
}

void RowMapped::vjp(const FormState& at, const double* lambda, FormCotangent& out) const { form_->vjp(at, multiplier(lambda).data(), out); }

void RowMapped::vjp_tangent(const FormState& at, const double* lambda, const FormTangent& direction, FormCotangent& out) const {
  FormTangent own = direction;
  std::vector<double> lambda_dot;
  if (direction.multiplier) lambda_dot = multiplier(direction.multiplier), own.multiplier = lambda_dot.data();
  form_->vjp_tangent(at, multiplier(lambda).data(), own, out);
}

namespace {

/// Adds element matrices to a matrix with mapped rows.
class MappedRows final : public ElementMatrixSink {
 public:
  MappedRows(AssembledMatrix& K, const RowMap& rows) : K_(K), rows_(rows) {}

  void take(const BatchGroup& g, int b, const Pack* blocks, std::span<const int> basis, bool symmetric) override {
    const int n = g.n_nodes, nc = static_cast<int>(basis.size());
    const ElementPlaces of(g, b, basis, K_, [this](int dof) { return rows_[dof]; });
    const auto node_of = [&](int a, int l) { return g.node[(std::size_t(b) * n + a) * simd_width + l]; };
    for (int l = 0; l < g.active[b]; ++l)
      for (int a = 0; a < n; ++a) {
        const int* row = of.rows(l, a);
        if (std::all_of(row, row + nc, [](int r) { return r < 0; })) continue;
        const int first = K_.dofs().first_dof(node_of(a, l));
        for (int c = 0; c < n; ++c) {
          const int* column = of.columns(l, c);
          const int pair = K_.pattern()->pair(node_of(a, l), node_of(c, l));
          for (int i = 0; i < nc; ++i) {
            if (row[i] < 0) continue;
            for (int j = 0; j < nc; ++j)
              if (column[j] >= 0) K_.add(pair, first, row[i] - first, column[j], entry(blocks, n, nc, symmetric, a, c, i, j)[l]);
          }
        }
      }
  }

 private:
  static const Pack& entry(const Pack* blocks, int n, int nc, bool symmetric, int a, int c, int i, int j) {
    if (!symmetric) return blocks[std::size_t(c * n + a) * nc * nc + i * nc + j];
    if (a <= c) return blocks[std::size_t(c * (c + 1) / 2 + a) * nc * nc + i * nc + j];
    return blocks[std::size_t(a * (a + 1) / 2 + c) * nc * nc + j * nc + i];
  }

  AssembledMatrix& K_;
  const RowMap& rows_;
};

}  // namespace

void RowMapped::jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const {
  if (K.sink()) throw std::logic_error("element matrices cannot be moved to rows of other components");
  MappedRows rows(K, rows_);
  AssembledMatrix elements(dofs_, rows);
  form_->jacobian(at, weights, elements);
}

}  // namespace invar
