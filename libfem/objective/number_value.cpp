#include "libfem/objective/number_value.hpp"

namespace invar {

void NumberValue::evaluate(const EvaluationPoint& u, double* y) { *y = residual_->number(control_, u.given); }

void NumberValue::jvp(const EvaluationPoint& u, const State&, const Controls* d_dot, double* y_dot) {
  *y_dot = d_dot && !(*d_dot)[control_].empty() ? residual_->number(control_, (*d_dot)[control_], u.given) : 0.0;
}

void NumberValue::vjp(const EvaluationPoint& u, const double* y_bar, const State&, Controls* d_bar) {
  int rank = 0;
  MPI_Comm_rank(residual_->comm(), &rank);  // derivatives of numbers are shares of a sum
  if (rank == 0 && d_bar && !(*d_bar)[control_].empty()) residual_->add_to_number(control_, y_bar[0], (*d_bar)[control_], u.given);
}

void NumberValue::vjp_tangent(const EvaluationPoint& u, const double*, const double* y_bar_dot, const State&, const Controls*,
                              const State& u_bar_dot, Controls* d_bar_dot) {
  if (y_bar_dot) vjp(u, y_bar_dot, u_bar_dot, d_bar_dot);
}

std::shared_ptr<FunctionOf> make_actuation(std::shared_ptr<FormResidual> residual, int control) {
  return FunctionOf::make<1>({std::make_shared<NumberValue>(std::move(residual), control)}, [](const auto& a) { return a[0] * a[0]; });
}

}  // namespace invar
