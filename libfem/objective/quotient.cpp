#include "libfem/objective/quotient.hpp"

namespace invar {

void Quotient::evaluate(const EvaluationPoint& u, double* y) {
  double a = 0, b = 0;
  a_->evaluate(u, &a);
  b_->evaluate(u, &b);
  *y = a / b;
}

// ẏ = (ȧ − y ḃ) / b
void Quotient::jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) {
  double y = 0, b = 0, a_dot = 0, b_dot = 0;
  evaluate(u, &y);
  b_->evaluate(u, &b);
  a_->jvp(u, u_dot, d_dot, &a_dot);
  b_->jvp(u, u_dot, d_dot, &b_dot);
  *y_dot = (a_dot - y * b_dot) / b;
}

// ā = ȳ / b, b̄ = −ȳ y / b
void Quotient::vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) {
  double y = 0, b = 0;
  evaluate(u, &y);
  b_->evaluate(u, &b);
  const double a_bar = y_bar[0] / b, b_bar = -y * a_bar;
  a_->vjp(u, &a_bar, u_bar, d_bar);
  b_->vjp(u, &b_bar, u_bar, d_bar);
}

// d(ā) = (d(ȳ) − ā ḃ) / b, d(b̄) = −y d(ā) − ẏ ā
void Quotient::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                           const State& u_bar_dot, Controls* d_bar_dot) {
  double y = 0, b = 0, y_dot = 0, b_dot = 0;
  evaluate(u, &y);
  b_->evaluate(u, &b);
  jvp(u, u_dot, d_dot, &y_dot);
  b_->jvp(u, u_dot, d_dot, &b_dot);
  const double a_bar = y_bar[0] / b, b_bar = -y * a_bar;
  const double a_bar_dot = ((y_bar_dot ? y_bar_dot[0] : 0.0) - a_bar * b_dot) / b, b_bar_dot = -y * a_bar_dot - y_dot * a_bar;
  a_->vjp_tangent(u, &a_bar, &a_bar_dot, u_dot, d_dot, u_bar_dot, d_bar_dot);
  b_->vjp_tangent(u, &b_bar, &b_bar_dot, u_dot, d_dot, u_bar_dot, d_bar_dot);
}

}  // namespace invar
