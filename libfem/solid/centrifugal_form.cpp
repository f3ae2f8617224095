#include "libfem/solid/centrifugal_form.hpp"

#include "libfem/form/q_form.hpp"
#include "libfem/solid/centrifugal.hpp"

namespace invar {
namespace {

/// A form on cells in the plane that reads the position, but does not turn around the axis x = 0.
class PlanarForm final : public WeakForm {
 public:
  explicit PlanarForm(std::unique_ptr<WeakForm> form) : form_(std::move(form)) {}

  FormTraits traits() const override { return form_->traits(); }
  std::vector<Coefficient>& coefficients() override { return form_->coefficients(); }
  std::unique_ptr<WeakForm> on_boundary(const BoundaryPart& part) const override { return form_->on_boundary(part); }
  bool around_axis() const override { return false; }

  double value(const FormState& at) const override { return form_->value(at); }
  double value_jvp(const FormState& at, const FormTangent& direction) const override { return form_->value_jvp(at, direction); }
  void value_vjp(const FormState& at, double seed, FormCotangent& out) const override { form_->value_vjp(at, seed, out); }
  void value_vjp_tangent(const FormState& at, double seed, const FormTangent& direction, FormCotangent& out) const override {
    form_->value_vjp_tangent(at, seed, direction, out);
  }
  bool residual(const FormState& at, double* r) const override { return form_->residual(at, r); }
  void jvp(const FormState& at, const FormTangent& direction, double* r_dot) const override { form_->jvp(at, direction, r_dot); }
  using WeakForm::jacobian;
  void jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const override { form_->jacobian(at, weights, K); }
  void vjp(const FormState& at, const double* lambda, FormCotangent& out) const override { form_->vjp(at, lambda, out); }
  void vjp_tangent(const FormState& at, const double* lambda, const FormTangent& direction, FormCotangent& out) const override {
    form_->vjp_tangent(at, lambda, direction, out);
  }

 private:
  std::unique_ptr<WeakForm> form_;
};

}  // namespace

std::unique_ptr<WeakForm> make_centrifugal(SolidKind kind, bool deformed, CellBatches cells) {
  if (kind == SolidKind::spatial) return make_form(Centrifugal<3, false>{deformed}, std::move(cells));
  if (kind == SolidKind::axisymmetric) return make_form(Centrifugal<2, true>{deformed}, std::move(cells));
  return std::make_unique<PlanarForm>(make_form(Centrifugal<2, false>{deformed}, std::move(cells)));
}

}  // namespace invar
