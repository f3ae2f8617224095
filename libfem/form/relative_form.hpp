#pragma once
#include <memory>
#include <vector>

#include "libfem/form/relative_unknown.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// A form on facets that reads the unknown relative to a carrier, at all levels; its reaction acts on the carrier. The carrier's unknowns
/// must be constrained: its matrix rows and columns are omitted like those of all constrained unknowns.
class RelativeForm final : public WeakForm {
 public:
  RelativeForm(std::unique_ptr<WeakForm> form, std::shared_ptr<const RelativeUnknown> relative) : form_(std::move(form)), relative_(std::move(relative)) {}

  FormTraits traits() const override { return form_->traits(); }
  std::vector<Coefficient>& coefficients() override { return form_->coefficients(); }
  /// The part on the boundary only, without the carrier.
  std::unique_ptr<WeakForm> on_boundary(const BoundaryPart& part) const override;
  bool around_axis() const override { return form_->around_axis(); }

  double value(const FormState& at) const override;
  double value_jvp(const FormState& at, const FormTangent& direction) const override;
  void value_vjp(const FormState& at, double seed, FormCotangent& out) const override;
  void value_vjp_tangent(const FormState& at, double seed, const FormTangent& direction, FormCotangent& out) const override;
  bool residual(const FormState& at, double* r) const override;
  void jvp(const FormState& at, const FormTangent& direction, double* r_dot) const override;
  using WeakForm::jacobian;
  void jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const override;
  void vjp(const FormState& at, const double* lambda, FormCotangent& out) const override;
  void vjp_tangent(const FormState& at, const double* lambda, const FormTangent& direction, FormCotangent& out) const override;

 private:
  struct State;
  struct Tangent;
  struct Cotangent;
  void add_row(const std::vector<double>& r, double* to) const;
  std::vector<double> multiplier(const double* lambda) const;

  std::unique_ptr<WeakForm> form_;
  std::shared_ptr<const RelativeUnknown> relative_;
  bool reacts_ = true;
};

}  // namespace invar
