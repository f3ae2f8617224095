#pragma once
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "libfem/contact/buried_surface.hpp"
#include "libfem/contact/pair_finder.hpp"
#include "libfem/contact/pair_lanes.hpp"
#include "libfem/contact/pair_matrix.hpp"
#include "libfem/contact/pair_point.hpp"
#include "libfem/contact/surface_fields.hpp"
#include "libfem/form/assembled_matrix.hpp"
#include "libfem/form/lanes.hpp"
#include "libfem/form/point_kernel.hpp"
#include "libfem/math/rigid_velocity.hpp"

namespace invar {

/// The weak form of a contact law on the pairs nearer than d̂, its second coefficient: Σ w σ density, or its residual. The set of
/// pairs depends on the state; at distance d̂ the law and its derivatives vanish. Derivatives are computed by duals in the numbers
/// of a pair (`PairPoint`) and include those of the weights by the coordinates (`SurfaceMeasure`). Pairs are evaluated in packs,
/// one per lane. With a motion of the first side it is a functional, the power of that side's forces in the motion: the work of the
/// law's residual on a multiplier that depends on the positions.
template <class Law, int Dim>
class PairForm final : public WeakForm, public DistantCoupling, public Separation {
 public:
  PairForm(Law law, std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs, const std::optional<RigidVelocity>& motion)
      : law_(law), finder_(std::move(finder)), dofs_(std::move(dofs)), transfer_(finder_->surface(), finder_->nodes(), dofs_),
        motion_(motion), coefficients_(law.n_coefficients()) {}

  FormTraits traits() const override {
    const bool conservative = !is_functional() && !Law::reads_rate;
    FormTraits t{.symmetric = conservative, .potential = conservative, .kinks = true};
    t.reads[Level::value] = true;
    if constexpr (requires { law_.needs_rate(); }) t.reads[Level::rate] = law_.needs_rate();
    else t.reads[Level::rate] = Law::reads_rate;
    return t;
  }
  std::vector<Coefficient>& coefficients() override { return coefficients_; }
  std::unique_ptr<WeakForm> on_boundary(const BoundaryPart&) const override { return nullptr; }
  bool around_axis() const override { return false; }

  double value(const FormState& at) const override { return sum_scalar<Pack>(at, {}); }
  double value_jvp(const FormState& at, const FormTangent& d) const override { return sum_scalar<DualPack>(at, d); }
  void value_vjp(const FormState& at, double seed, FormCotangent& out) const override { of_value<Pack>(at, {}, seed, out); }
  void value_vjp_tangent(const FormState& at, double seed, const FormTangent& d, FormCotangent& out) const override {
    of_value<DualPack>(at, d, seed, out);
  }
  bool residual(const FormState& at, double* r) const override {
    add_residual<Pack>(at, {}, r);
    return true;
  }
  void jvp(const FormState& at, const FormTangent& d, double* r_dot) const override { add_residual<DualPack>(at, d, r_dot); }
  void vjp(const FormState& at, const double* lambda, FormCotangent& out) const override { of_work<Pack>(at, lambda, {}, out); }
  void vjp_tangent(const FormState& at, const double* lambda, const FormTangent& d, FormCotangent& out) const override {
    of_work<DualPack>(at, lambda, d, out);
  }
  using WeakForm::jacobian;
  void jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const override;

  void add_couplings(const FormState& at, std::vector<NodePair>& pairs) const override {
    finder_->add_couplings(fields(at).at, coefficients_[1].values[0], pairs);
  }
  double longest_step(const FormState& at, const double* step) const override {
    return finder_->longest_step(fields(at).at, transfer_.of_unknown(step).data());
  }
  ClosestApproach nearest(const FormState& at) const override {
    ClosestApproach found = finder_->nearest(fields(at).at, coefficients_[1].values[0]);
    if (found.gap > 0)
      if (const auto place = buried_place(finder_->surface(), *dofs_, at)) found = {.gap = -std::numeric_limits<double>::infinity(), .reach = coefficients_[1].values[0], .place = *place};
    return found;
  }

 private:
  using DualPack = Dual<Pack, 1>;
  bool is_functional() const { return Law::functional || motion_; }
  static constexpr PairKind kinds[] = {PairKind::point_point, PairKind::point_line, PairKind::point_plane, PairKind::edge_edge};
  static constexpr int n_kinds = Dim == 2 ? 2 : 4;

  template <PairKind Kind>
  using Lanes = PairLanes<Kind>;

  SurfaceFields fields(const FormState& at) const;
  SurfaceFields fields(const FormState& at, const FormTangent& d) const;
  /// The multiplier for the power in the motion of the first side, or with `constant` = 0 its derivative along a direction of the
  /// positions.
  std::vector<double> side_multiplier(const SurfacePosition& at, double constant) const;
  /// Adds the derivative by positions through that multiplier; residual [n_samples × dim].
  void add_motion_gradient(const std::vector<double>& residual, std::vector<double>& position_bar) const;
  /// visit(PairPoint, Lanes) for all pairs, pack by pack.
  template <class Visit>
  void visit_pairs(const SurfacePosition& at, Visit&& visit) const;
  /// Values of the slots: a pair's relative positions and rates, or those of a multiplier.
  template <class B, class Q, PairKind Kind>
  static SlotArray<Q, B> gather(const Lanes<Kind>& l, const SurfaceFields& f, const SurfaceFields& d);
  template <class B, class Q, PairKind Kind>
  static SlotArray<Q, B> gather_multiplier(const Lanes<Kind>& l, const SurfaceFields& f, const SurfaceFields& d);
  template <class B, PairKind Kind>
  static B weight_of(const Lanes<Kind>& l, const SurfaceFields& f, const SurfaceFields& d);
  /// Transpose: adds slots to relative positions (first: 0) or rates.
  template <class B, std::size_t N, PairKind Kind>
  static void scatter(const Lanes<Kind>& l, const std::array<B, N>& slots, int first, std::vector<double>& target);
  template <class B>
  std::vector<B> coefficient_values(const FormTangent& d) const;

  template <class B>
  double sum_scalar(const FormState& at, const FormTangent& d) const {
    if constexpr (!Law::functional)
      if (motion_) return sum_scalar<B, PointScalar::work>(at, d);
    return sum_scalar<B, PointScalar::density>(at, d);
  }
  template <class B, PointScalar S>
  double sum_scalar(const FormState& at, const FormTangent& d) const;
  template <class B>
  void add_residual(const FormState& at, const FormTangent& d, double* r) const;
  template <class B, PointScalar S>
  void differentiate(const FormState& at, const double* lambda, const FormTangent& d, double seed, FormCotangent& out) const;
  template <class B>
  void of_value(const FormState& at, const FormTangent& d, double seed, FormCotangent& out) const {
    if constexpr (!Law::functional)
      if (motion_) return differentiate<B, PointScalar::work>(at, nullptr, d, seed, out);
    differentiate<B, PointScalar::density>(at, nullptr, d, seed, out);
  }
  template <class B>
  void of_work(const FormState& at, const double* lambda, const FormTangent& d, FormCotangent& out) const {
    refuse_functional();
    if constexpr (!Law::functional) differentiate<B, PointScalar::work>(at, lambda, d, 1.0, out);
  }
  void refuse_functional() const {
    if (is_functional()) throw std::logic_error("a functional has no residual");
  }

  Law law_;
  std::shared_ptr<PairFinder> finder_;
  std::shared_ptr<const DofMap> dofs_;
  SurfaceTransfer transfer_;
  std::optional<RigidVelocity> motion_;
  std::vector<Coefficient> coefficients_;
};

}  // namespace invar

#include "libfem/contact/pair_form.ipp"
