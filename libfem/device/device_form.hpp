#pragma once
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "libfem/device/device_form_base.hpp"
#include "libfem/device/element_operations.hpp"

namespace invar {

/// The weak form of a q-function whose element work runs on a device; same interface as QForm, same results up to rounding. `host`
/// handles what devices do not support yet: second derivatives, directions of coordinates and coefficients, sides of cells. For forms
/// without history variables, on one process.
template <class Q>
class DeviceForm final : public DeviceFormBase {
 public:
  /// host: the form on the host, which keeps the coefficients.
  DeviceForm(Q q, const CellBatches& domain, std::shared_ptr<Device> device, std::unique_ptr<WeakForm> host)
      : DeviceFormBase(properties(), domain, std::move(device), std::move(host)), q_(std::move(q)) {
    static_assert(!HasMemory<Q>, "devices keep no history variables");
  }

  double value(const FormState& at) const override {
    double total = 0;
    if constexpr (HasDensity<Q>) {
      ReadOnDevice read(device_);
      const StateView state = view_of(at, read);
      for (auto& g : groups_) {
        run(*g, device::Value{}, state, 1);
        total += reduce(*g, VectorReduction::Of::sum, 1, 0);
      }
    }
    return total;
  }
  void value_vjp(const FormState& at, double seed, FormCotangent& out) const override {
    if constexpr (HasDensity<Q>) {
      ReadOnDevice read(device_);
      const StateView state = view_of(at, read);
      if (out.wants_unknown()) add_unknown(device::UnknownVjp<PointScalar::density>{{{}, seed}}, state, out);
      add_gradients<PointScalar::density>(state, seed, out);
    }
  }

  bool residual(const FormState& at, double* r) const override {
    if constexpr (Functional<Q>) return host_residual(at, r);
    else {
      ReadOnDevice read(device_);
      const StateView state = view_of(at, read);
      AddedOnDevice target(device_, r, n_local_);
      bool admissible = true;
      for (auto& g : groups_) {
        run(*g, device::Residual{}, state, nc);
        add_to_unknowns(*g, nc, 0, target.data());
        admissible = admissible && reduce(*g, VectorReduction::Of::smallest, nc, 0) > 0;  // NaN is not positive
      }
      target.finish();
      return admissible;
    }
  }
  void jvp(const FormState& at, const FormTangent& d, double* r_dot) const override {
    bool all_held = !d.coordinates;
    for (const double* c : d.coefficients) all_held &= c == nullptr;
    if constexpr (Functional<Q>) return host_jvp(at, d, r_dot);
    else if (!all_held) return host_jvp(at, d, r_dot);
    else {
      ReadOnDevice read(device_);
      StateView state = view_of(at, read);
      add_direction(state, d.unknown, read);
      add_product(state, Rule::full, coefficient_views(), r_dot);
    }
  }
  void add_product(const FormState& at, const PerLevel<const double*>& direction, Rule rule, double* y) const override {
    if constexpr (!Functional<Q>) {
      ReadOnDevice read(device_);
      StateView state = view_of(at, read);
      add_direction(state, direction, read);
      add_product(state, rule, kept_coefficients(), y);
    }
  }
  void tangent_blocks(const FormState& at, const PerLevel<double>& weights, NodePairs pairs, int group, int first, int count,
                      double* out) const override {
    if constexpr (!Functional<Q>) {
      ReadOnDevice read(device_);
      const CellView& cells = tables(group).view(Rule::cheap);
      device::Tangent tangent{.pairs = pairs, .n_vertices = cells.linear.n_nodes};
      for (Level l : all_levels) tangent.weights[int(l)] = weights[l];
      run(cells, tangent, view_of(at, read), kept_coefficients(), first, first + count, out);
    }
  }
  using WeakForm::jacobian;
  void jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const override {
    bool any = false;
    for (Level l : all_levels) any |= quantity_.reads[l] && weights[l] != 0;
    if (!any) return;
    if constexpr (Functional<Q>) return host_jacobian(at, weights, K);
    else if (K.sink()) return host_jacobian(at, weights, K);
    else {
      ReadOnDevice read(device_);
      const StateView state = view_of(at, read);
      device::Tangent tangent;
      for (Level l : all_levels) tangent.weights[int(l)] = weights[l];
      AddedOnDevice values = matrix_values(K);
      for (auto& g : groups_)
        for (const MatrixPart& part : matrix_parts(*g, K)) {
          run(*g, tangent, state, nc * nc, part.first, part.end);
          add_to_matrix(*g, part, values.data());
        }
      values.finish();
    }
  }
  void vjp(const FormState& at, const double* lambda, FormCotangent& out) const override {
    if constexpr (Functional<Q>) return host_vjp(at, lambda, out);
    else {
      ReadOnDevice read(device_);
      StateView state = view_of(at, read);
      state.multiplier = read(lambda, n_local_);
      if (out.wants_unknown()) {
        if constexpr (Q::symmetric) {  // reads one level
          for (Level l : all_levels)
            if (quantity_.reads[l]) state.unknown_dot[int(l)] = state.multiplier;
          for (Level l : all_levels)
            if (quantity_.reads[l]) add_product(state, Rule::full, coefficient_views(), out.unknown[l]);
        } else {
          add_unknown(device::UnknownVjp<PointScalar::work>{}, state, out);
        }
      }
      add_gradients<PointScalar::work>(state, 1, out);
    }
  }

 private:
  static constexpr int nc = Q::n_components, nt = trial_count<Q>;

  static Quantity properties() {
    const bool only_gradients = std::ranges::all_of(Q::slots, [](const Slot& s) { return s.derivative >= 0; });
    Quantity q{Q::dim, Q::ref_dim, nc, coefficient_capacity<Q>(), only_gradients, {Q::basis.begin(), Q::basis.end()}, {}, {}};
    for (Level l : all_levels) q.reads[l] = reads_level<Q>(l), q.first[l] = reads_level<Q>(l) ? nc * level_position<Q>(l) : 0;
    return q;
  }

  /// Leaves the rows that some cells of a group produce in `out`.
  template <class Op>
  void run(const CellView& cells, const Op& op, const StateView& state, const std::vector<CoefficientView>& values, int first, int end, double* out) const {
    ElementKernel<Q, Op> kernel{q_, cells, state, {}, static_cast<int>(values.size()), op, out, first, end};
    std::copy(values.begin(), values.end(), kernel.coefficients);
    kernel.cells_per_team = cells_of_team(kernel.cells.n_points, kernel.cell_size());
    if (kernel.cells_per_team * cells.n_nodes > most_threads) kernel.nodes_of_thread = most_nodes_of_thread;
    device_->run(kernel);
  }
  /// Leaves the rows that the cells of a group produce, of `width` numbers, in the group: those of all cells, or from `first` to `end`.
  template <class Op>
  void run(Group& g, const Op& op, const StateView& state, int width, int first = 0, int end = -1) const {
    const CellView& cells = g.tables.view();
    if (end < 0) end = cells.n_cells;
    run(cells, op, state, coefficient_views(), first, end, rows(g, std::size_t(end - first) * (op.rows(cells.n_nodes) + 1) * width));
  }

  void add_product(const StateView& state, Rule rule, const std::vector<CoefficientView>& values, double* r_dot) const {
    if (!r_dot) return;
    AddedOnDevice target(device_, r_dot, n_local_);
    const device::Product op;
    for (auto& g : groups_) {
      const CellView& cells = g->tables.view(rule);
      run(cells, op, state, values, 0, cells.n_cells, rows(*g, std::size_t(cells.n_cells) * (op.rows(cells.n_nodes) + 1) * nc));
      add_to_unknowns(*g, nc, 0, target.data());
    }
    target.finish();
  }
  template <class Op>
  void add_unknown(const Op& op, const StateView& state, FormCotangent& out) const {
    for (auto& g : groups_) {
      run(*g, op, state, nt);
      for (Level l : all_levels) {
        if (!quantity_.reads[l] || !out.unknown[l]) continue;
        AddedOnDevice target(device_, out.unknown[l], n_local_);
        add_to_unknowns(*g, nt, quantity_.first[l], target.data());
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
        run(*g, device::CoordinateVjp<S>{{{}, seed}}, state, Q::dim);
        add_to_coordinates(*g, target.data());
      }
      target.finish();
    }
    const std::vector<Coefficient>& values = host_->coefficients();
    device::CoefficientVjp<S> op{{{}, seed}};
    for (std::size_t k = 0; k < out.coefficients.size(); ++k)
      if (out.coefficients[k]) op.wanted |= 1u << k, op.nodal |= values[k].layout == Coefficient::Layout::per_node;
    if (op.wanted == 0) return;
    for (auto& g : groups_) {
      run(*g, op, state, static_cast<int>(values.size()));
      add_to_coefficients(*g, out);
    }
  }

  Q q_;
};

}  // namespace invar
