#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/distant_coupling.hpp"
#include "libfem/form/relative_form.hpp"
#include "libfem/solid/rigid_contact.hpp"

namespace invar {

/// The same facets with the points that carry the pressure of bodies which touch each other (`lattice_weights`): corners of facets are
/// among them, so that no facet can come through a plane.
CellBatches on_lattice(CellBatches facets);

/// How far a point may go by `step` [m] before it touches an obstacle, as a part of the step; infinite where it never does. away: from the
/// obstacle's position to the point, which is outside. direction, radius: see RigidContact.
double time_of_impact(ObstacleShape shape, int dim, const double* away, const double* step, const double* direction, double radius);

/// RigidContact with a barrier, which lets nothing through: steps of the unknown end before a point of the facets touches the obstacle.
/// Its position, direction and radius are numbers; where it has a carrier it moves with that, and so may steps of the carrier end.
class ObstacleForm final : public WeakForm, public DistantCoupling {
 public:
  /// carrier: of `form` as a RelativeForm; null: the obstacle is at rest.
  ObstacleForm(std::unique_ptr<WeakForm> form, CellBatches facets, ObstacleShape shape, std::shared_ptr<const RelativeUnknown> carrier)
      : form_(std::move(form)), facets_(std::move(facets)), shape_(shape), carrier_(std::move(carrier)) {}

  FormTraits traits() const override { return form_->traits(); }
  std::vector<Coefficient>& coefficients() override { return form_->coefficients(); }
  std::unique_ptr<WeakForm> on_boundary(const BoundaryPart& part) const override { return form_->on_boundary(part); }
  bool around_axis() const override { return form_->around_axis(); }
  double value(const FormState& at) const override { return form_->value(at); }
  double value_jvp(const FormState& at, const FormTangent& d) const override { return form_->value_jvp(at, d); }
  void value_vjp(const FormState& at, double seed, FormCotangent& out) const override { form_->value_vjp(at, seed, out); }
  void value_vjp_tangent(const FormState& at, double seed, const FormTangent& d, FormCotangent& out) const override {
    form_->value_vjp_tangent(at, seed, d, out);
  }
  bool residual(const FormState& at, double* r) const override { return form_->residual(at, r); }
  void jvp(const FormState& at, const FormTangent& d, double* r_dot) const override { form_->jvp(at, d, r_dot); }
  using WeakForm::jacobian;
  void jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const override { form_->jacobian(at, weights, K); }
  void vjp(const FormState& at, const double* lambda, FormCotangent& out) const override { form_->vjp(at, lambda, out); }
  void vjp_tangent(const FormState& at, const double* lambda, const FormTangent& d, FormCotangent& out) const override {
    form_->vjp_tangent(at, lambda, d, out);
  }

  void add_couplings(const FormState&, std::vector<NodePair>&) const override {}
  double longest_step(const FormState& at, const double* step) const override;
  ClosestApproach nearest(const FormState& at) const override;

 private:
  /// visit(away, motion, tangents) for all points: from the obstacle's position to the point, its step relative to it (zero without one), and
  /// two vectors whose vector product is an outward normal.
  template <class Visit>
  void visit_points(const FormState& at, const double* step, Visit&& visit) const;
  bool is_enclosed(const FormState& at, double square, bool behind, std::vector<double>& centre) const;
  /// The values of the form's coefficients.
  std::vector<double> numbers() const;

  std::unique_ptr<WeakForm> form_;
  CellBatches facets_;
  ObstacleShape shape_;
  std::shared_ptr<const RelativeUnknown> carrier_;
};

}  // namespace invar
