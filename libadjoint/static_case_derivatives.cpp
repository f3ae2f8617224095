// First derivatives of StaticCase: forward, then reverse; then those of the states themselves.
#include "libadjoint/static_case.hpp"

#include "libadjoint/adjoint_from_state.hpp"

namespace invar {

/// The failure report for derivatives of states that are too inexact.
std::optional<SolveReport> StaticCase::refused_derivatives() const {
  if (inexact_.empty()) return std::nullopt;
  SolveReport report;
  report.reason = inexact_;
  return report;
}

SolveReport StaticCase::tangent(const std::vector<Controls>& directions, Eigen::MatrixXd& rho_dot,
                                Eigen::VectorXd& value_dot) {
  if (const auto refused = refused_derivatives()) return *refused;
  const int n = static_cast<int>(directions.size());
  rho_dot.setZero(residual_count(), n);
  value_dot.setZero(n);
  begin_rates(n);
  VecHandle r_dot = residual_->create_vector(), u_dot = residual_->create_vector();
  const auto measured = measurements();
  const Sensitivities objective = sensitivities();
  SolveReport last;
  last.converged = true;
  for (int step = 0; step < static_cast<int>(times_.size()); ++step) {
    if (objective[step].empty()) continue;
    const EvaluationPoint u = point(step);
    Linearization& linear = linearization(step);
    for (int j = 0; j < n; ++j) {
      residual_->jvp(u, nullptr, &directions[j], r_dot);
      last = linear.solve_tangent(r_dot, u_dot);
      if (!last.converged) return last;
      add_residual_rates(measured[step], u, u_dot, directions[j], j, rho_dot);
      value_dot[j] += rate(objective[step], u, u_dot, directions[j], j);
    }
  }
  return last;
}

Linearization& StaticCase::linearization(int step) {
  if (linearized_step_ == step) return *linear_;
  // The factors of a single state are those of Newton's method, and precondition well.
  const KeepFactorsScope kept(*solver_, times_.size() == 1 || solver_->options().keep_factors);
  linear_.emplace(*residual_, *solver_, point(step));
  linearized_step_ = step;
  return *linear_;
}

/// Kᵀ λ = ū, d_bar −= (∂r/∂d)ᵀ λ. `linear` returns the linear systems; it is not called if λ is a multiple of the
/// state or was found together with others.
SolveReport StaticCase::solve_adjoint(const EvaluationPoint& u, Vec u_bar, const Systems& linear, Controls& d_bar) {
  SolveReport report;
  report.converged = true;
  double size = 0;
  check(VecNorm(u_bar, NORM_INFINITY, &size));
  if (size == 0) return report;
  VecHandle lambda = residual_->create_vector();
  std::optional<SolveReport> known;
  if (residual_->symmetric()) known = adjoint_from_state(*residual_, u, u_bar, solver_->rtol(), lambda);
  if (!known) known = adjoint_together(u, u_bar, lambda);
  report = known ? *known : linear().solve_adjoint(u_bar, lambda);
  if (!report.converged) return report;
  check(VecScale(lambda, -1.0));
  residual_->vjp(u, lambda, nullptr, &d_bar);
  return report;
}

/// Contribution of one time to the gradients, with one matrix for all seeds.
SolveReport StaticCase::add_adjoints(int step, const EvaluationPoint& u, std::span<const Seed> seeds,
                                     const std::vector<Sensitivities>& of_seeds, const Systems& linear) {
  SolveReport last;
  last.converged = true;
  VecHandle u_bar = residual_->create_vector();
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    if (of_seeds[i][step].empty()) continue;
    check(VecSet(u_bar, 0.0));
    Case::pull_back(of_seeds[i][step], u, u_bar, seeds[i].d_bar);
    last = solve_adjoint(u, u_bar, linear, *seeds[i].d_bar);
    if (!last.converged) return last;
  }
  return last;
}

SolveReport StaticCase::gradients(std::span<const Seed> seeds) {
  if (const auto refused = refused_derivatives()) return *refused;
  std::vector<Sensitivities> of_seeds;
  for (const Seed& seed : seeds) of_seeds.push_back(sensitivities(seed.term));
  SolveReport last;
  last.converged = true;
  for (int step = static_cast<int>(times_.size()) - 1; step >= 0 && last.converged; --step)
    last = add_adjoints(step, point(step), seeds, of_seeds, [&]() -> Linearization& { return linearization(step); });
  return last;
}

SolveReport StaticCase::quantity_tangents(std::span<const ProcessTerm* const> terms, const Controls& direction,
                                          std::vector<double>& derivatives) {
  if (const auto refused = refused_derivatives()) return *refused;
  VecHandle r_dot = residual_->create_vector(), u_dot = residual_->create_vector();
  SolveReport last;
  last.converged = true;
  derivatives.assign(terms.size(), 0.0);
  begin_rates(terms.size());
  const std::vector<Sensitivities> of_terms = sensitivities(terms);
  const std::vector<char> read = steps_read(of_terms);
  for (int step = 0; step < static_cast<int>(times_.size()); ++step) {
    if (!read[step]) continue;
    const EvaluationPoint u = point(step);
    residual_->jvp(u, nullptr, &direction, r_dot);
    last = linearization(step).solve_tangent(r_dot, u_dot);
    if (!last.converged) return last;
    for (std::size_t k = 0; k < terms.size(); ++k) derivatives[k] += rate(of_terms[k][step], u, u_dot, direction, k);
  }
  return last;
}

// ---- derivatives of the states ----------------------------------------------------------------------

SolveReport StaticCase::state_jvp(int step, const Controls& direction, Vec u_dot) {
  VecHandle r_dot = residual_->create_vector();
  residual_->jvp(point(step), nullptr, &direction, r_dot);
  return linearization(step).solve_tangent(r_dot, u_dot);
}

SolveReport StaticCase::state_vjp(int step, Vec u_bar, Controls& d_bar) {
  return solve_adjoint(
      point(step), u_bar, [&]() -> Linearization& { return linearization(step); }, d_bar);
}

}  // namespace invar
