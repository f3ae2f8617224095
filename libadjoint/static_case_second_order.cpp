// Second derivatives of StaticCase: the adjoint of each step, differentiated along a direction of the controls.
#include "libadjoint/static_case.hpp"

#include <algorithm>
#include <numeric>

namespace invar {
namespace {

Controls zeros_like(const Controls& d) {
  Controls z(d.size());
  for (std::size_t k = 0; k < d.size(); ++k) z[k].assign(d[k].size(), 0.0);
  return z;
}

void subtract(Controls& target, const Controls& d) {
  for (std::size_t k = 0; k < d.size(); ++k)
    for (std::size_t i = 0; i < target[k].size(); ++i) target[k][i] -= d[k][i];
}

}  // namespace

SolveReport StaticCase::state_vjp_tangent(int step, const Controls& direction, Vec u_bar, Vec u_bar_dot,
                                          Controls& d_bar_dot) {
  VecHandle u_dot = residual_->create_vector(), seed_dot = residual_->create_vector();
  const SolveReport report = state_jvp(step, direction, u_dot);
  if (!report.converged) return report;
  check(VecCopy(u_bar_dot, seed_dot));
  return add_second_adjoint(step, direction, u_dot, u_bar, seed_dot, d_bar_dot);
}

/// The adjoint λ of ū, Kᵀ λ = ū, and its derivative along d + ε ḋ: Kᵀ λ̇ = d(ū)/dε − d(Kᵀ)/dε λ. d_bar_dot −=
/// derivative of (∂r/∂d)ᵀ λ. u_bar_dot is overwritten.
SolveReport StaticCase::add_second_adjoint(int step, const Controls& direction, Vec u_dot, Vec u_bar, Vec u_bar_dot,
                                           Controls& d_bar_dot) {
  const EvaluationPoint u = point(step);
  VecHandle lambda = residual_->create_vector(), lambda_dot = residual_->create_vector(),
            work = residual_->create_vector();
  Linearization& linear = linearization(step);
  SolveReport last = linear.solve_adjoint(u_bar, lambda);
  if (!last.converged) return last;
  residual_->vjp_tangent(u, lambda, u_dot, nullptr, &direction, work, nullptr);
  check(VecAXPY(u_bar_dot, -1.0, work));
  last = linear.solve_adjoint(u_bar_dot, lambda_dot);
  if (!last.converged) return last;
  Controls from_equation = zeros_like(d_bar_dot);
  residual_->vjp_tangent(u, lambda, u_dot, lambda_dot, &direction, nullptr, &from_equation);
  subtract(d_bar_dot, from_equation);
  return last;
}

std::string StaticCase::why_no_second_derivatives() const {
  for (const ProcessTerm& term : terms_)
    if (term.statistic) return "a statistic over steps ('" + term.name + "') has none";
  for (const DataSet& set : data_)
    if (set.couples_steps()) return "a residual made of several steps ('" + set.name + "') has none";
  return {};
}

/// Rates of the seeds of terms that couple steps, [term][step of the term]; empty for the others.
SolveReport StaticCase::coupled_seed_rates(const Controls& direction, std::vector<std::vector<double>>& rates) {
  SolveReport last;
  last.converged = true;
  rates.assign(terms_.size(), {});
  VecHandle u_dot = residual_->create_vector();
  std::vector<std::vector<double>> sums_dot(terms_.size());
  for (int step = 0; step < static_cast<int>(times_.size()); ++step) {
    const auto reads = [&](const ProcessTerm& term) { return term.couples_steps() && std::ranges::count(term.steps, step) > 0; };
    if (std::ranges::none_of(terms_, reads)) continue;
    last = state_jvp(step, direction, u_dot);
    if (!last.converged) return last;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const ProcessTerm& term = terms_[i];
      if (!reads(term)) continue;
      std::vector<double> y_dot(term.observable->size());
      term.observable->jvp(point(step), u_dot, &direction, y_dot.data());
      sums_dot[i].resize(term.steps.size());
      for (std::size_t k = 0; k < term.steps.size(); ++k)
        if (term.steps[k] == step) sums_dot[i][k] = std::accumulate(y_dot.begin(), y_dot.end(), 0.0);
    }
  }
  for (std::size_t i = 0; i < terms_.size(); ++i)
    if (!sums_dot[i].empty()) rates[i] = seed_rates(terms_[i], sums_dot[i]);
  return last;
}

SolveReport StaticCase::hessian_action(const Controls& direction, Controls& d_bar_dot) {
  if (const auto refused = refused_derivatives()) return *refused;
  if (!why_no_second_derivatives().empty()) return without_second_derivatives();
  std::vector<std::vector<double>> seeds_dot;
  SolveReport last = coupled_seed_rates(direction, seeds_dot);
  if (!last.converged) return last;
  const Sensitivities objective = sensitivities();
  VecHandle u_dot = residual_->create_vector(), u_bar = residual_->create_vector(),
            u_bar_dot = residual_->create_vector();
  for (int step = static_cast<int>(times_.size()) - 1; step >= 0; --step) {
    if (objective[step].empty()) continue;
    last = state_jvp(step, direction, u_dot);
    if (!last.converged) return last;
    check(VecSet(u_bar, 0.0));
    check(VecSet(u_bar_dot, 0.0));
    add_seeds_and_rates(objective[step], seeds_dot, step, point(step), u_dot, direction, u_bar, nullptr, u_bar_dot, d_bar_dot);
    last = add_second_adjoint(step, direction, u_dot, u_bar, u_bar_dot, d_bar_dot);
    if (!last.converged) return last;
  }
  return last;
}

}  // namespace invar
