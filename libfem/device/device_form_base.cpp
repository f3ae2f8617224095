#include "libfem/device/device_form_base.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "libfem/device/device_matrix.hpp"
#include "libfem/device/stored_entries.hpp"

namespace invar {

DeviceFormBase::DeviceFormBase(Quantity quantity, const CellBatches& domain, std::shared_ptr<Device> device, std::unique_ptr<WeakForm> host)
    : quantity_(std::move(quantity)), device_(std::move(device)), host_(std::move(host)), n_local_(domain.dofs->n_local()),
      n_nodes_(domain.dofs->mesh().node_total()) {
  int processes = 1;
  MPI_Comm_size(domain.dofs->comm(), &processes);
  if (processes > 1) throw std::logic_error("forms on a device are for one process");
  if (static_cast<int>(host_->coefficients().size()) > quantity_.most_coefficients)
    throw std::logic_error("a form with more coefficients than its q-function states");
  for (const BatchGroup& g : domain.groups)
    groups_.push_back(std::make_unique<Group>(CellTables(device_, g, quantity_.basis, quantity_.dim, quantity_.ref_dim, quantity_.only_gradients)));
}

// ---- work of the host's form ----------------------------------------------------------------------------

FormState DeviceFormBase::on_host(FormState at, OnHost& copies) const {
  for (const double*& u : at.unknown.entries) u = copies.read(u, n_local_);
  at.coordinates = copies.read(at.coordinates, n_nodes_ * quantity_.dim);
  return at;
}
FormTangent DeviceFormBase::on_host(FormTangent d, OnHost& copies) const {
  for (const double*& u : d.unknown.entries) u = copies.read(u, n_local_);
  d.coordinates = copies.read(d.coordinates, n_nodes_ * quantity_.dim);
  d.multiplier = copies.read(d.multiplier, n_local_);
  return d;
}
FormCotangent DeviceFormBase::on_host(FormCotangent out, OnHost& copies) const {
  for (double*& u : out.unknown.entries) u = copies.added(u, n_local_);
  out.coordinates = copies.added(out.coordinates, n_nodes_ * quantity_.dim);
  return out;
}

double DeviceFormBase::value_jvp(const FormState& at, const FormTangent& d) const {
  OnHost copies(device_);
  return host_->value_jvp(on_host(at, copies), on_host(d, copies));
}
void DeviceFormBase::value_vjp_tangent(const FormState& at, double seed, const FormTangent& d, FormCotangent& out) const {
  OnHost copies(device_);
  FormCotangent sums = on_host(out, copies);
  host_->value_vjp_tangent(on_host(at, copies), seed, on_host(d, copies), sums);
  copies.finish();
}
void DeviceFormBase::vjp_tangent(const FormState& at, const double* lambda, const FormTangent& d, FormCotangent& out) const {
  OnHost copies(device_);
  FormCotangent sums = on_host(out, copies);
  host_->vjp_tangent(on_host(at, copies), copies.read(lambda, n_local_), on_host(d, copies), sums);
  copies.finish();
}
bool DeviceFormBase::host_residual(const FormState& at, double* r) const {
  OnHost copies(device_);
  const bool admissible = host_->residual(on_host(at, copies), copies.added(r, n_local_));
  copies.finish();
  return admissible;
}
void DeviceFormBase::host_jvp(const FormState& at, const FormTangent& d, double* r_dot) const {
  OnHost copies(device_);
  host_->jvp(on_host(at, copies), on_host(d, copies), copies.added(r_dot, n_local_));
  copies.finish();
}
void DeviceFormBase::host_jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const {
  OnHost copies(device_);
  host_->jacobian(on_host(at, copies), weights, K);
}
void DeviceFormBase::host_vjp(const FormState& at, const double* lambda, FormCotangent& out) const {
  OnHost copies(device_);
  FormCotangent sums = on_host(out, copies);
  host_->vjp(on_host(at, copies), copies.read(lambda, n_local_), sums);
  copies.finish();
}

// ---- kernels --------------------------------------------------------------------------------------------

StateView DeviceFormBase::view_of(const FormState& at, ReadOnDevice& read) const {
  StateView view;
  view.coordinates =
      device_->holds(at.coordinates) ? at.coordinates : coordinates_.of(device_, {at.coordinates, n_nodes_ * quantity_.dim}, at.setting);
  for (Level l : all_levels)
    if (quantity_.reads[l]) view.unknown[int(l)] = read(at.unknown[l], n_local_);
  return view;
}

void DeviceFormBase::add_direction(StateView& view, const PerLevel<const double*>& direction, ReadOnDevice& read) const {
  for (Level l : all_levels)
    if (quantity_.reads[l]) view.unknown_dot[int(l)] = read(direction[l], n_local_);
}

const std::vector<CoefficientView>& DeviceFormBase::coefficient_views() const {
  const std::vector<Coefficient>& values = host_->coefficients();
  if (views_.size() == values.size()) return views_;
  coefficients_.resize(values.size());
  for (std::size_t k = 0; k < values.size(); ++k)
    views_.push_back({static_cast<CoefficientView::Layout>(values[k].layout), coefficients_[k].of(device_, values[k].values), nullptr});
  return views_;
}

void DeviceFormBase::keep_coefficients() const {
  kept_views_ = coefficient_views();
  kept_.resize(kept_views_.size());
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const std::size_t n = host_->coefficients()[k].values.size();
    if (kept_[k].size() != n) kept_[k] = DeviceArray<double>(device_, n);
    device_->run(OneByOne{static_cast<int>(n), VectorMap{.a = 1, .x = kept_views_[k].values, .z = kept_[k].data()}});
    kept_views_[k].values = kept_[k].data();
  }
}

double* DeviceFormBase::rows(Group& g, std::size_t size) const {
  if (g.rows.size() < size) g.rows = DeviceArray<double>(device_, size);
  return g.rows.data();
}

int DeviceFormBase::cells_of_team(int n_points, int cell_size) {
  constexpr int most_shared = 6000;  // numbers of a team: 48 KB
  return std::max(1, std::min(most_threads / std::max(1, n_points), most_shared / cell_size));
}

double DeviceFormBase::reduce(Group& g, VectorReduction::Of what, int stride, int offset) const {
  const CellView& cells = g.tables.view();
  const double* first = g.rows.data() + std::size_t(cells.n_cells) * cells.n_nodes * stride + offset;
  return invar::reduce(device_, {.of = what, .n = cells.n_cells, .x = first, .stride = stride}, g.partial);
}

void DeviceFormBase::add_to_unknowns(Group& g, int stride, int offset, double* target) const {
  device_->run(g.tables.dofs().sum(g.tables.node_rows(), g.rows.data(), stride, offset, target));
}
void DeviceFormBase::add_to_coordinates(Group& g, double* target) const {
  device_->run(g.tables.coordinates().sum(g.tables.node_rows(), g.rows.data(), quantity_.dim, 0, target));
}

void DeviceFormBase::add_to_coefficients(Group& g, FormCotangent& out) const {
  const std::vector<Coefficient>& values = host_->coefficients();
  const int np = static_cast<int>(values.size());
  for (int k = 0; k < static_cast<int>(out.coefficients.size()); ++k) {
    if (!out.coefficients[k]) continue;
    if (values[k].layout == Coefficient::Layout::constant) {
      out.coefficients[k][0] += reduce(g, VectorReduction::Of::sum, np, k);
      continue;
    }
    const bool per_node = values[k].layout == Coefficient::Layout::per_node;
    AddedOnDevice target(device_, out.coefficients[k], values[k].values.size());
    device_->run(per_node ? g.tables.nodes().sum(g.tables.node_rows(), g.rows.data(), np, k, target.data())
                          : g.tables.cells().sum(g.tables.cell_rows(), g.rows.data(), np, k, target.data()));
    target.finish();
  }
}

AddedOnDevice DeviceFormBase::matrix_values(AssembledMatrix& K) const {
  MatInfo info;
  check(MatGetInfo(K.host(), MAT_LOCAL, &info));
  DeviceMatrix* const there = dynamic_cast<DeviceMatrix*>(K.store());
  return AddedOnDevice(device_, there ? there->values() : K.row(0, 0), static_cast<std::size_t>(info.nz_allocated));
}
const std::vector<MatrixPart>& DeviceFormBase::matrix_parts(Group& g, AssembledMatrix& K) const {
  if (g.parts_of != K.pattern()->number() || g.constrained != K.constrained().data()) {
    const std::size_t n = static_cast<std::size_t>(g.tables.view().n_nodes * quantity_.n_components);
    g.matrix_parts = g.tables.matrix_parts(K, static_cast<int>(std::max<std::size_t>(1, most_stored_entries / (n * n))));
    g.parts_of = K.pattern()->number(), g.constrained = K.constrained().data();
  }
  return g.matrix_parts;
}
void DeviceFormBase::add_to_matrix(Group& g, const MatrixPart& part, double* target) const {
  device_->run(part.entries.sum(part.rows, g.rows.data(), quantity_.n_components * quantity_.n_components, 0, target));
}

}  // namespace invar
