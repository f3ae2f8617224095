#pragma once
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include "libfem/form/batched_form.hpp"
#include "libfem/form/boundary_part.hpp"
#include "libfem/form/element_matrix.hpp"
#include "libfem/form/point_kernel.hpp"

namespace invar {

/// The weak form of a q-function on cells or facets. All derivatives are taken by dual numbers at the quadrature points
/// and contracted with shape functions. Only the positions of element entries in the matrix are stored between calls.
template <class Q>
class QForm final : public BatchedForm {
 public:
  /// Throws std::invalid_argument if the domain has fewer components than Q reads.
  QForm(Q q, CellBatches domain) : BatchedForm(std::move(domain), q.n_coefficients()), q_(std::move(q)) {
    if (ns > 0 && static_cast<int>(domain_.components.size()) < nc)
      throw std::invalid_argument("a form of " + std::to_string(nc) + " components on a domain with " +
                                  std::to_string(domain_.components.size()));
  }

  const Q& quantity() const { return q_; }
  FormTraits traits() const override {
    FormTraits t{.potential = HasDensity<Q> && !HasMemory<Q>};
    if constexpr (requires { q_.has_symmetric_tangent(); }) t.symmetric = q_.has_symmetric_tangent();
    else t.symmetric = Q::symmetric;
    if constexpr (requires { Q::saddle_point; }) t.saddle_point = Q::saddle_point;
    if constexpr (requires { Q::kinks; }) t.kinks = Q::kinks;
    for (const Level level : all_levels) {
      t.reads[level] = reads_level<Q>(level);
      t.potential &= level == Level::value || !t.reads[level];
    }
    return t;
  }
  std::unique_ptr<WeakForm> on_boundary(const BoundaryPart& part) const override {
    if constexpr (ref_dim != dim) return std::make_unique<QForm>(q_, domain_.only(part.facets));
    else if constexpr (reads_gradient)
      return part.loads_only ? nullptr : std::make_unique<QForm>(q_, domain_.on_sides(part.sides));
    else return nullptr;
  }
  std::optional<FormCoupling> coupling() const override {
    FormCoupling c{&domain_, std::vector<unsigned>(domain_.components.size(), 0)};
    for (int i = 0; i < nc && ns > 0; ++i)
      for (int j = 0; j < nc; ++j)
        if (couples<Q>(i, j)) c.columns[i] |= 1u << j;
    return c;
  }
  /// 2-D forms on cells use the position only for axisymmetry.
  bool around_axis() const override { return dim == 2 && ref_dim == 2 && Q::uses_position; }

  double value(const FormState& at) const override { return sum_density<Pack>(at, {}); }
  double value_jvp(const FormState& at, const FormTangent& direction) const override {
    return sum_density<DualPack>(at, direction);
  }
  void value_vjp(const FormState& at, double seed, FormCotangent& out) const override {
    if constexpr (HasDensity<Q>) differentiate<Pack, PointScalar::density>(at, nullptr, {}, seed, out);
  }
  void value_vjp_tangent(const FormState& at, double seed, const FormTangent& direction,
                         FormCotangent& out) const override {
    if constexpr (HasDensity<Q>) differentiate<DualPack, PointScalar::density>(at, nullptr, direction, seed, out);
  }
  bool residual(const FormState& at, double* r) const override { return add_residual<Pack>(at, {}, r); }
  void jvp(const FormState& at, const FormTangent& direction, double* r_dot) const override {
    add_residual<DualPack>(at, direction, r_dot);
  }
  void vjp(const FormState& at, const double* lambda, FormCotangent& out) const override {
    differentiate<Pack, PointScalar::work>(at, lambda, {}, 1.0, out);
  }
  void vjp_tangent(const FormState& at, const double* lambda, const FormTangent& direction,
                   FormCotangent& out) const override {
    differentiate<DualPack, PointScalar::work>(at, lambda, direction, 1.0, out);
  }
  std::size_t memory_size() const override {
    if (!HasMemory<Q> || domain_.groups.empty()) return 0;
    const BatchGroup& last = domain_.groups.back();
    return PointMemory{.per_point = memory_per_point(q_)}.place(last, last.n_batches, 0);
  }
  void update_memory(const FormState& at, double* next) const override { leave_behind<Pack>(at, {}, next); }
  void update_memory_jvp(const FormState& at, const FormTangent& direction, double* next_dot) const override {
    leave_behind<DualPack>(at, direction, next_dot);
  }
  void update_memory_vjp(const FormState& at, const double* next_bar, FormCotangent& out) const override {
    if constexpr (HasMemory<Q>) differentiate<Pack, PointScalar::memory>(at, next_bar, {}, 1.0, out);
  }
  using WeakForm::jacobian;
  void jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const override;

 private:
  friend struct ElementMatrixProbe;  // for benchmarks of element matrices
  using DualPack = Dual<Pack, 1>;
  static constexpr int dim = Q::dim, ref_dim = Q::ref_dim, nc = Q::n_components, ns = slot_count<Q>, nt = trial_count<Q>;
  static constexpr bool reads_gradient = [] {
    for (const Slot& slot : Q::slots)
      if (slot.derivative >= 0) return true;
    return false;
  }();
  static_assert(nt == nc || !Q::symmetric, "a form that reads several levels has no symmetric tangent");

  /// Nodal data of one batch.
  template <class B>
  struct Nodal {
    B X[max_cell_nodes][dim];
    B U[max_cell_nodes][nt];
    B L[max_cell_nodes][nc];
  };

  template <class B>
  void gather_coordinates(const BatchGroup& g, int b, const FormState& at, const FormTangent& d, Nodal<B>& e) const;
  template <class B>
  void gather_state(const BatchGroup& g, int b, const FormState& at, const FormTangent& d, Nodal<B>& e) const;
  /// Copies the numbers of one level to [node][first, first + nc) of out.
  template <class B, int N>
  void gather_unknown(const BatchGroup& g, int b, const double* v, const double* direction, int first,
                      B (*out)[N]) const;
  template <class B, int N>
  void scatter_unknown(const BatchGroup& g, int b, const B (*v)[N], int first, double* target) const;

  template <class B>
  double sum_density(const FormState& at, const FormTangent& direction) const;
  template <class B>
  bool add_residual(const FormState& at, const FormTangent& direction, double* r) const;
  template <class B>
    requires Functional<Q>
  bool add_residual(const FormState&, const FormTangent&, double*) const {
    throw std::logic_error("a functional has no residual");
  }
  template <class B>
  void leave_behind(const FormState& at, const FormTangent& direction, double* next) const;
  PointMemory memory_of(const FormState& at, const FormTangent& direction) const {
    return {memory_per_point(q_), at.memory, direction.memory, at.step_length};
  }
  template <class B, PointScalar S>
  void differentiate(const FormState& at, const double* lambda, const FormTangent& direction, double seed,
                     FormCotangent& out) const;
  template <class B, PointScalar S>
    requires NeverDifferentiated<Q> || (Functional<Q> && S == PointScalar::work)
  void differentiate(const FormState&, const double*, const FormTangent&, double, FormCotangent&) const {
    throw std::logic_error("a derivative of a form that has none");
  }

  void add_jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const;
  bool element_matrix(const BatchGroup& g, int b, const Nodal<Pack>& e, BatchCoefficients<Pack>& p,
                      const PerLevel<double>& weights, ElementMatrix<Q>& Ke) const;

  Q q_;
};

/// The weak form of a q-function on cells or facets.
template <class Q>
std::unique_ptr<WeakForm> make_form(Q q, CellBatches domain) {
  return std::make_unique<QForm<Q>>(std::move(q), std::move(domain));
}

}  // namespace invar

#include "libfem/form/q_form_jacobian.ipp"
#include "libfem/form/q_form_vector.ipp"
