#pragma once
#include <memory>
#include <utility>

#include "libfem/form/weak_form.hpp"

namespace invar {

/// A weak form that is another one but for what a derived class overrides.
class ForwardedForm : public WeakForm {
 public:
  explicit ForwardedForm(std::unique_ptr<WeakForm> form) : form_(std::move(form)) {}

  FormTraits traits() const override { return form_->traits(); }
  std::vector<Coefficient>& coefficients() override { return form_->coefficients(); }
  std::unique_ptr<WeakForm> on_boundary(const BoundaryPart& part) const override { return form_->on_boundary(part); }
  bool around_axis() const override { return form_->around_axis(); }
  std::optional<FormCoupling> coupling() const override { return form_->coupling(); }
  std::size_t memory_size() const override { return form_->memory_size(); }
  void update_memory(const FormState& at, double* next) const override { form_->update_memory(at, next); }
  void update_memory_jvp(const FormState& at, const FormTangent& d, double* next_dot) const override { form_->update_memory_jvp(at, d, next_dot); }
  void update_memory_vjp(const FormState& at, const double* next_bar, FormCotangent& out) const override { form_->update_memory_vjp(at, next_bar, out); }
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

 protected:
  WeakForm& forwarded() const { return *form_; }

 private:
  std::unique_ptr<WeakForm> form_;
};

}  // namespace invar
