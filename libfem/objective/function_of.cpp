#include "libfem/objective/function_of.hpp"

namespace invar {

FunctionOf::Expansion FunctionOf::at(const EvaluationPoint& u) {
  std::vector<double> a(arguments_.size());
  for (std::size_t k = 0; k < a.size(); ++k) arguments_[k]->evaluate(u, &a[k]);
  return function_(a);
}

std::vector<double> FunctionOf::movement(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot) {
  std::vector<double> a_dot(arguments_.size());
  for (std::size_t k = 0; k < a_dot.size(); ++k) arguments_[k]->jvp(u, u_dot, d_dot, &a_dot[k]);
  return a_dot;
}

void FunctionOf::evaluate(const EvaluationPoint& u, double* y) { *y = at(u).value; }

void FunctionOf::jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) {
  const Expansion f = at(u);
  const std::vector<double> a_dot = movement(u, u_dot, d_dot);
  *y_dot = 0;
  for (std::size_t k = 0; k < a_dot.size(); ++k) *y_dot += f.gradient[k] * a_dot[k];
}

// ā_k = ȳ ∂f/∂a_k
void FunctionOf::vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) {
  const Expansion f = at(u);
  for (std::size_t k = 0; k < arguments_.size(); ++k) {
    const double a_bar = y_bar[0] * f.gradient[k];
    arguments_[k]->vjp(u, &a_bar, u_bar, d_bar);
  }
}

// d(ā_k) = d(ȳ) ∂f/∂a_k + ȳ Σ_l ∂²f/∂a_k∂a_l ȧ_l
void FunctionOf::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                             const State& u_bar_dot, Controls* d_bar_dot) {
  const Expansion f = at(u);
  const std::vector<double> a_dot = movement(u, u_dot, d_dot);
  const std::size_t n = arguments_.size();
  for (std::size_t k = 0; k < n; ++k) {
    const double a_bar = y_bar[0] * f.gradient[k];
    double a_bar_dot = (y_bar_dot ? y_bar_dot[0] : 0.0) * f.gradient[k];
    for (std::size_t l = 0; l < n; ++l) a_bar_dot += y_bar[0] * f.hessian[k * n + l] * a_dot[l];
    arguments_[k]->vjp_tangent(u, &a_bar, &a_bar_dot, u_dot, d_dot, u_bar_dot, d_bar_dot);
  }
}

}  // namespace invar
