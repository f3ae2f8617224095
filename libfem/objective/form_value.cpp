#include "libfem/objective/form_value.hpp"

namespace invar {

FormValue::FormValue(std::shared_ptr<FormResidual> residual, std::vector<double> factors)
    : residual_(std::move(residual)), factors_(std::move(factors)) {}

void FormValue::evaluate(const EvaluationPoint& u, double* y) {
  *y = 0;
  for (std::size_t f = 0; f < factors_.size(); ++f)
    if (factors_[f] != 0) *y += factors_[f] * residual_->form_value(static_cast<int>(f), u);
}

void FormValue::jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) {
  *y_dot = 0;
  for (std::size_t f = 0; f < factors_.size(); ++f)
    if (factors_[f] != 0) *y_dot += factors_[f] * residual_->form_value_jvp(static_cast<int>(f), u, u_dot, d_dot);
}

void FormValue::vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) {
  for (std::size_t f = 0; f < factors_.size(); ++f)
    if (factors_[f] != 0) residual_->form_value_vjp(static_cast<int>(f), u, y_bar[0] * factors_[f], u_bar, d_bar);
}

void FormValue::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                            const State& u_bar_dot, Controls* d_bar_dot) {
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    if (factors_[f] == 0) continue;
    const int form = static_cast<int>(f);
    residual_->form_value_vjp_tangent(form, u, y_bar[0] * factors_[f], u_dot, d_dot, u_bar_dot, d_bar_dot);
    if (y_bar_dot && y_bar_dot[0] != 0)
      residual_->form_value_vjp(form, u, y_bar_dot[0] * factors_[f], u_bar_dot, d_bar_dot);
  }
}

}  // namespace invar
