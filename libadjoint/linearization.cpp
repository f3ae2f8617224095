#include "libadjoint/linearization.hpp"

#include <algorithm>
#include <limits>

namespace invar {
namespace {

/// target[row] = scale · source[row] on the rows; source == nullptr: 0.
void set_rows(const std::vector<int>& rows, Vec target, double scale, Vec source) {
  double* t = nullptr;
  const double* s = nullptr;
  check(VecGetArray(target, &t));
  if (source) check(VecGetArrayRead(source, &s));
  for (int row : rows) t[row] = source ? scale * s[row] : 0.0;
  if (source) check(VecRestoreArrayRead(source, &s));
  check(VecRestoreArray(target, &t));
}

}  // namespace

Linearization::Linearization(Residual& residual, LinearSolver& solver, EvaluationPoint u)
    : residual_(residual), solver_(solver), u_(std::move(u)), rhs_(zeros_like(u_.unknown)), work_(zeros_like(u_.unknown)) {
  if (ChangingPattern* pattern = residual_.capabilities().pattern) pattern->update_pattern(u_);
  residual_.jacobian(u_);
  solver_.set_operator(residual_.matrix(), residual_.symmetric());
}

SolveReport Linearization::solve_tangent(Vec r_dot, Vec u_dot, double rtol) {
  const std::vector<int>& fixed = residual_.constrained_rows();
  check(VecSet(rhs_, 0.0));
  set_rows(fixed, rhs_, -1.0, r_dot);  // u̇_c, for now
  double moved = 0;
  check(VecNorm(rhs_, NORM_INFINITY, &moved));
  VecHandle constrained;
  if (moved > 0) {
    check(VecDuplicate(rhs_, constrained.out()));
    check(VecCopy(rhs_, constrained));
    residual_.jvp(u_, constrained, nullptr, work_);
    check(VecAXPY(work_, 1.0, r_dot));
    check(VecCopy(work_, rhs_));
  } else {
    check(VecCopy(r_dot, rhs_));
  }
  check(VecScale(rhs_, -1.0));
  set_rows(fixed, rhs_, 0.0, nullptr);
  check(VecNorm(rhs_, NORM_2, &load_norm_));
  SolveReport report = solver_.solve(rhs_, u_dot, rtol);
  // the error of solves with a loose tolerance is not of interest
  if (rtol <= solver_.rtol()) solver_.note_error(report, u_dot, false);
  if (moved > 0) set_rows(fixed, u_dot, 1.0, constrained);
  else set_rows(fixed, u_dot, 0.0, nullptr);
  return report;
}

/// Solves Kᵀ λ = rhs_ on the free rows.
SolveReport Linearization::solve_from(Vec guess, Vec lambda) {
  double load = 0, left = 0;
  check(VecNorm(rhs_, NORM_2, &load));
  if (!guess || !solver_.inexact() || load == 0) return solver_.solve_transpose(rhs_, lambda);
  const VecHandle begin = zeros_like(rhs_);
  check(VecCopy(guess, begin));
  set_rows(residual_.constrained_rows(), begin, 0.0, nullptr);
  check(MatMultTranspose(residual_.matrix(), begin, work_));
  check(VecAYPX(work_, -1.0, rhs_));
  set_rows(residual_.constrained_rows(), work_, 0.0, nullptr);
  check(VecNorm(work_, NORM_2, &left));
  const double share = left / load;
  if (!(share < 1)) return solver_.solve_transpose(rhs_, lambda);
  SolveReport report = solver_.solve_transpose(work_, lambda, std::min(0.5, solver_.rtol() / share));
  if (!report.converged) return solver_.solve_transpose(rhs_, lambda);
  report.residual *= share;
  report.error = std::numeric_limits<double>::quiet_NaN();  // the error of the correction is not that of the whole
  check(VecAXPY(lambda, 1.0, begin));
  return report;
}

SolveReport Linearization::solve_free_adjoint(Vec u_bar, Vec lambda, Vec guess) {
  const std::vector<int>& fixed = residual_.constrained_rows();
  check(VecCopy(u_bar, rhs_));
  set_rows(fixed, rhs_, 0.0, nullptr);
  SolveReport report = solve_from(guess, lambda);
  solver_.note_error(report, lambda, true);
  set_rows(fixed, lambda, 0.0, nullptr);
  return report;
}

SolveReport Linearization::solve_adjoint(Vec u_bar, Vec lambda, Vec guess) {
  const SolveReport report = solve_free_adjoint(u_bar, lambda, guess);
  check(VecSet(work_, 0.0));
  residual_.vjp(u_, lambda, work_, nullptr);
  check(VecAYPX(work_, -1.0, u_bar));  // ū − Kᵀ λ; only the constrained rows are used
  set_rows(residual_.constrained_rows(), lambda, 1.0, work_);
  return report;
}

}  // namespace invar
