// Solutions of a static case that were found together with those of others, and what it requires of them.
#include <algorithm>
#include <cmath>

#include "libadjoint/shared_solves.hpp"
#include "libadjoint/static_case.hpp"

namespace invar {
namespace {

/// ‖v‖ over the unconstrained rows. Collective.
double norm_of_free(const Residual& r, Vec v) {
  double sum = r.constrained_rows().squares_of_others(v);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, r.comm());
  return std::sqrt(sum);
}

}  // namespace

double StaticCase::derivative_error() const { return std::max(Case::derivative_error(), shared_ ? shared_->largest_error() : 0.0); }

/// The state of a step from the common solution, if it satisfies this equation to the tolerance of Newton's method.
bool StaticCase::solve_together(int step, Vec u, ProcessReport& report, NewtonReport& newton) {
  constexpr double round_off = 2;  // the common equation adds in another order
  const Capabilities able = residual_->capabilities();
  if (!shared_ || options_.newton.to_floor || options_.warm_start || guess || able.continuation || able.pseudo_time || able.step_limit || able.pattern) return false;
  VecHandle found = residual_->create_vector(), r = residual_->create_vector();
  check(VecCopy(u, found));
  const EvaluationPoint at = point(times_[step], found);
  NewtonReport common;
  double scale = force_scale_;
  if (!shared_->equilibrium(at, options_.newton, scale, common)) return false;
  residual_->impose_constraints(at.given, found);
  if (!residual_->residual(at, r)) return false;
  const double wanted = std::max(options_.newton.atol, options_.newton.rtol * std::max(common.residuals.front(), scale));
  if (!(norm_of_free(*residual_, r) <= round_off * (common.at_floor ? common.residuals.back() : wanted))) return false;
  check(VecCopy(found, u));
  force_scale_ = scale;
  newton = std::move(common);
  report.newton_iterations += newton.iterations + 1;
  report.linear_iterations += newton.linear_iterations;
  return true;
}

/// The adjoint from the common solution, with its constrained rows; nothing if it does not solve this equation's system.
std::optional<SolveReport> StaticCase::adjoint_together(const EvaluationPoint& u, Vec u_bar, Vec lambda) {
  constexpr double enough = 1e-10;  // relative residual
  if (!shared_) return std::nullopt;
  SolveReport report = shared_->adjoint(u, u_bar, lambda);
  if (!report.converged) return std::nullopt;
  VecHandle rest = zeros_like(u_bar);
  residual_->vjp(u, lambda, State(rest), nullptr);
  check(VecAYPX(rest, -1.0, u_bar));
  const double size = norm_of_free(*residual_, u_bar);
  report.residual = size > 0 ? norm_of_free(*residual_, rest) / size : 0;
  if (!(report.residual <= enough)) return std::nullopt;
  residual_->constrained_rows().copy(rest, lambda);
  return report;
}

}  // namespace invar
