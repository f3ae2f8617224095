#pragma once
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "libfem/device/cell_tables.hpp"
#include "libfem/device/device_access.hpp"
#include "libfem/device/element_operations.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// The weak form of a q-function whose element work runs on a device; same interface as QForm, same results up to rounding. `host`
/// handles what devices do not support yet: second derivatives, directions of coordinates and coefficients, sides of cells. For forms
/// without history variables, on one process.
template <class Q>
class DeviceForm final : public WeakForm {
 public:
  /// host: the form on the host, which keeps the coefficients.
  DeviceForm(Q q, const CellBatches& domain, std::shared_ptr<Device> device, std::unique_ptr<WeakForm> host)
      : q_(std::move(q)), device_(std::move(device)), host_(std::move(host)), n_local_(domain.dofs->n_local()),
        n_nodes_(domain.dofs->mesh().node_total()) {
    static_assert(!HasMemory<Q>, "devices keep no history variables");
    int processes = 1;
    MPI_Comm_size(domain.dofs->comm(), &processes);
    if (processes > 1) throw std::logic_error("forms on a device are for one process");
    if (static_cast<int>(host_->coefficients().size()) > coefficient_capacity<Q>())
      throw std::logic_error("a form with more coefficients than its q-function states");
    std::vector<int> basis_of(Q::basis.begin(), Q::basis.end());
    for (const BatchGroup& g : domain.groups)
      groups_.push_back(std::make_unique<Group>(CellTables(device_, g, basis_of, Q::dim, Q::ref_dim)));
  }

  FormTraits traits() const override { return host_->traits(); }
  std::vector<Coefficient>& coefficients() override { return host_->coefficients(); }
  std::unique_ptr<WeakForm> on_boundary(const BoundaryPart& part) const override { return host_->on_boundary(part); }
  bool around_axis() const override { return host_->around_axis(); }

  double value(const FormState& at) const override {
    double total = 0;
    if constexpr (HasDensity<Q>) {
      ReadOnDevice read(device_);
      const StateView state = view_of(at, read);
      for (auto& g : groups_) {
        run(*g, device::Value{}, state, 1);
        total += reduce(*g, g->tables.owned_rows(), 1, 0, false);
      }
    }
    return total;
  }
  double value_jvp(const FormState& at, const FormTangent& d) const override { return host_->value_jvp(at, d); }
  void value_vjp(const FormState& at, double seed, FormCotangent& out) const override {
    if constexpr (HasDensity<Q>) {
      ReadOnDevice read(device_);
      const StateView state = view_of(at, read);
      if (out.wants_unknown()) add_unknown(device::UnknownVjp<PointScalar::density>{{{}, seed}}, state, out);
      add_gradients<PointScalar::density>(state, seed, out);
    }
  }
  void value_vjp_tangent(const FormState& at, double seed, const FormTangent& d, FormCotangent& out) const override {
    host_->value_vjp_tangent(at, seed, d, out);
  }

  bool residual(const FormState& at, double* r) const override {
    if constexpr (Functional<Q>) return host_->residual(at, r);
    else {
      ReadOnDevice read(device_);
      const StateView state = view_of(at, read);
      AddedOnDevice target(device_, r, n_local_);
      bool admissible = true;
      for (auto& g : groups_) {
        const auto& rows = run(*g, device::Residual{}, state, nc);
        device_->run(g->tables.dofs().sum(rows.data(), nc, 0, target.data()));
        admissible = admissible && reduce(*g, g->tables.cell_rows(), nc, 0, true) > 0;  // NaN is not positive
      }
      target.finish();
      return admissible;
    }
  }
  void jvp(const FormState& at, const FormTangent& d, double* r_dot) const override {
    bool all_held = !d.coordinates;
    for (const double* c : d.coefficients) all_held &= c == nullptr;
    if constexpr (Functional<Q>) return host_->jvp(at, d, r_dot);
    else if (!all_held) return host_->jvp(at, d, r_dot);
    else {
      ReadOnDevice read(device_);
      StateView state = view_of(at, read);
      for (Level l : all_levels)
        if (reads(l)) state.unknown_dot[int(l)] = read(d.unknown[l], n_local_);
      add_product(state, r_dot);
    }
  }
  using WeakForm::jacobian;
  void jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const override {
    bool any = false;
    for (const Slot& slot : Q::slots) any |= weights[slot.level] != 0;
    if (!any) return;
    if constexpr (Functional<Q>) return host_->jacobian(at, weights, K);
    else if (K.sink()) return host_->jacobian(at, weights, K);
    else {
      ReadOnDevice read(device_);
      const StateView state = view_of(at, read);
      device::Tangent tangent;
      for (Level l : all_levels) tangent.weights[int(l)] = weights[l];
      MatInfo info;
      check(MatGetInfo(K.mat(), MAT_LOCAL, &info));
      AddedOnDevice values(device_, K.row(0, 0), static_cast<std::size_t>(info.nz_allocated));
      for (auto& g : groups_) {
        if (g->entries_of != K.pattern()->number() || g->constrained != K.constrained().data()) {
          g->entries = g->tables.matrix_entries(K);
          g->entries_of = K.pattern()->number(), g->constrained = K.constrained().data();
        }
        const auto& rows = run(*g, tangent, state, nc * nc);
        device_->run(g->entries.sum(rows.data(), nc * nc, 0, values.data()));
      }
      values.finish();
    }
  }
  void vjp(const FormState& at, const double* lambda, FormCotangent& out) const override {
    if constexpr (Functional<Q>) return host_->vjp(at, lambda, out);
    else {
      ReadOnDevice read(device_);
      StateView state = view_of(at, read);
      state.multiplier = read(lambda, n_local_);
      if (out.wants_unknown()) {
        if constexpr (Q::symmetric) {  // reads one level
          for (Level l : all_levels)
            if (reads(l)) state.unknown_dot[int(l)] = state.multiplier;
          for (Level l : all_levels)
            if (reads(l)) add_product(state, out.unknown[l]);
        } else {
          add_unknown(device::UnknownVjp<PointScalar::work>{}, state, out);
        }
      }
      add_gradients<PointScalar::work>(state, 1, out);
    }
  }
  void vjp_tangent(const FormState& at, const double* lambda, const FormTangent& d, FormCotangent& out) const override {
    host_->vjp_tangent(at, lambda, d, out);
  }

 private:
  static constexpr int nc = Q::n_components, nt = trial_count<Q>;

  struct Group {
    explicit Group(CellTables t) : tables(std::move(t)) {}
    CellTables tables;
    DeviceArray<double> rows, partial;
    PlaceList entries;
    std::uint64_t entries_of = 0;
    const char* constrained = nullptr;
  };

  static constexpr bool reads(Level level) {
    for (const Slot& s : Q::slots)
      if (s.level == level) return true;
    return false;
  }

  StateView view_of(const FormState& at, ReadOnDevice& read) const {
    StateView view;
    view.coordinates = device_->holds(at.coordinates) ? at.coordinates : coordinates_.of(device_, {at.coordinates, n_nodes_ * Q::dim});
    for (Level l : all_levels)
      if (reads(l)) view.unknown[int(l)] = read(at.unknown[l], n_local_);
    return view;
  }

  void upload_coefficients() const {
    const std::vector<Coefficient>& values = host_->coefficients();
    coefficients_.resize(values.size());
    views_.clear();
    for (std::size_t k = 0; k < values.size(); ++k)
      views_.push_back({static_cast<CoefficientView::Layout>(values[k].layout), coefficients_[k].of(device_, values[k].values), nullptr});
  }

  /// The rows that the cells of a group produce, of `width` numbers.
  template <class Op>
  const DeviceArray<double>& run(Group& g, const Op& op, const StateView& state, int width) const {
    constexpr int most_shared = 6000;  // numbers of a team: 48 KB
    upload_coefficients();
    ElementKernel<Q, Op> kernel{q_, g.tables.view(), state, {}, static_cast<int>(views_.size()), op};
    std::copy(views_.begin(), views_.end(), kernel.coefficients);
    const int n_points = kernel.cells.n_points, items = op.items(kernel.cells.n_nodes);
    kernel.cells_per_team = std::max(1, std::min(128 / std::max(1, n_points), most_shared / kernel.cell_size()));
    kernel.team_threads = std::clamp((kernel.cells_per_team * n_points + 31) / 32 * 32, 32, 128);
    const std::size_t size = std::size_t(kernel.cells.n_cells) * items * width;
    if (g.rows.size() < size) g.rows = DeviceArray<double>(device_, size);
    kernel.out = g.rows.data();
    device_->run(kernel);
    return g.rows;
  }

  /// Reduction of the rows that `run` has produced.
  double reduce(Group& g, const DeviceArray<int>& list, int stride, int offset, bool least) const {
    ListReduction kernel{static_cast<int>(list.size()), list.data(), g.rows.data(), stride, offset, least, nullptr};
    const std::size_t teams = kernel.teams();
    if (g.partial.size() != teams) g.partial = DeviceArray<double>(device_, teams);
    kernel.out = g.partial.data();
    device_->run(kernel);
    double sum = least ? HUGE_VAL : 0;
    for (const double v : g.partial.download()) {
      if (!least) sum += v;
      else if (sum == sum && !(v >= sum)) sum = v;
    }
    return sum;
  }

  void add_product(const StateView& state, double* r_dot) const {
    if (!r_dot) return;
    AddedOnDevice target(device_, r_dot, n_local_);
    for (auto& g : groups_) {
      const auto& rows = run(*g, device::Product{}, state, nc);
      device_->run(g->tables.dofs().sum(rows.data(), nc, 0, target.data()));
    }
    target.finish();
  }
  template <class Op>
  void add_unknown(const Op& op, const StateView& state, FormCotangent& out) const {
    for (auto& g : groups_) {
      const auto& rows = run(*g, op, state, nt);
      for (Level l : all_levels) {
        if (!reads(l) || !out.unknown[l]) continue;
        AddedOnDevice target(device_, out.unknown[l], n_local_);
        device_->run(g->tables.dofs().sum(rows.data(), nt, nc * level_position<Q>(l), target.data()));
        target.finish();
      }
    }
  }
  /// Transposed products of point_scalar<S> for coordinates and coefficients.
  template <PointScalar S>
  void add_gradients(const StateView& state, double seed, FormCotangent& out) const {
    if (out.coordinates) {
      AddedOnDevice target(device_, out.coordinates, n_nodes_ * Q::dim);
      for (auto& g : groups_) {
        const auto& rows = run(*g, device::CoordinateVjp<S>{{{}, seed}}, state, Q::dim);
        device_->run(g->tables.coordinates().sum(rows.data(), Q::dim, 0, target.data()));
      }
      target.finish();
    }
    bool any = false;
    for (const double* c : out.coefficients) any |= c != nullptr;
    if (!any) return;
    const std::vector<Coefficient>& values = host_->coefficients();
    const int np = static_cast<int>(values.size());
    for (auto& g : groups_) {
      const auto& rows = run(*g, device::CoefficientVjp<S>{{{}, seed}}, state, np);
      for (int k = 0; k < static_cast<int>(out.coefficients.size()); ++k) {
        if (!out.coefficients[k]) continue;
        if (values[k].layout == Coefficient::Layout::constant) {
          out.coefficients[k][0] += reduce(*g, g->tables.owned_rows(), np, k, false);
          continue;
        }
        const bool per_node = values[k].layout == Coefficient::Layout::per_node;
        AddedOnDevice target(device_, out.coefficients[k], values[k].values.size());
        device_->run((per_node ? g->tables.nodes() : g->tables.owned_cells()).sum(rows.data(), np, k, target.data()));
        target.finish();
      }
    }
  }

  Q q_;
  std::shared_ptr<Device> device_;
  std::unique_ptr<WeakForm> host_;
  std::size_t n_local_, n_nodes_;
  std::vector<std::unique_ptr<Group>> groups_;
  mutable MirrorOnDevice coordinates_;
  mutable std::vector<MirrorOnDevice> coefficients_;
  mutable std::vector<CoefficientView> views_;
};

}  // namespace invar
