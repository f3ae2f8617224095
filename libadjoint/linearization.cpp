#include "libadjoint/linearization.hpp"

#include <algorithm>
#include <limits>

#include "libadjoint/vector_methods.hpp"

namespace invar {

Linearization::Linearization(Residual& residual, LinearSolver& solver, EvaluationPoint u)
    : residual_(residual), solver_(solver), u_(std::move(u)), rhs_(zeros_like(u_.unknown)), work_(zeros_like(u_.unknown)) {
  if (ChangingPattern* pattern = residual_.capabilities().pattern) pattern->update_pattern(u_);
  residual_.jacobian(u_);
  solver_.set_operator(residual_.matrix(), residual_.symmetric());
}

SolveReport Linearization::solve_tangent(Vec r_dot, Vec u_dot, double rtol) {
  const RowSet& fixed = residual_.constrained_rows();
  check(VecSet(rhs_, 0.0));
  fixed.combine(-1, r_dot, 0, rhs_);  // u̇_c, for now
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
  fixed.clear(rhs_);
  check(VecNorm(rhs_, NORM_2, &load_norm_));
  SolveReport report = solver_.solve(rhs_, u_dot, rtol);
  // the error of solves with a loose tolerance is not of interest
  if (rtol <= solver_.rtol()) solver_.note_error(report, u_dot, false);
  if (moved > 0) fixed.copy(constrained, u_dot);
  else fixed.clear(u_dot);
  return report;
}

/// Solves Kᵀ λ = rhs_ on the free rows.
SolveReport Linearization::solve_from(Vec guess, Vec lambda) {
  double load = 0, left = 0;
  check(VecNorm(rhs_, NORM_2, &load));
  if (!guess || !solver_.inexact() || load == 0) return solver_.solve_transpose(rhs_, lambda);
  const VecHandle begin = zeros_like(rhs_);
  check(VecCopy(guess, begin));
  residual_.constrained_rows().clear(begin);
  if (is_on_host(begin)) {
    check(MatMultTranspose(residual_.matrix(), begin, work_));
  } else {  // the matrix may be on the host
    check(VecSet(work_, 0.0));
    residual_.vjp(u_, begin, State(work_), nullptr);
  }
  check(VecAYPX(work_, -1.0, rhs_));
  residual_.constrained_rows().clear(work_);
  check(VecNorm(work_, NORM_2, &left));
  const double share = left / load;
  if (!(share < 1)) return solver_.solve_transpose(rhs_, lambda);
  const VecHandle correction = zeros_like(begin);
  SolveReport report = solver_.solve_transpose(work_, correction, std::min(0.5, solver_.rtol() / share));
  if (!report.converged) return solver_.solve_transpose(rhs_, lambda);
  report.residual *= share;
  report.error = std::numeric_limits<double>::quiet_NaN();  // the error of the correction is not that of the whole
  check(VecWAXPY(lambda, 1.0, begin, correction));
  return report;
}

SolveReport Linearization::solve_free_adjoint(Vec u_bar, Vec lambda, Vec guess) {
  const RowSet& fixed = residual_.constrained_rows();
  check(VecCopy(u_bar, rhs_));
  fixed.clear(rhs_);
  SolveReport report = solve_from(guess, lambda);
  solver_.note_error(report, lambda, true);
  fixed.clear(lambda);
  return report;
}

SolveReport Linearization::solve_adjoint(Vec u_bar, Vec lambda, Vec guess) {
  const SolveReport report = solve_free_adjoint(u_bar, lambda, guess);
  check(VecSet(work_, 0.0));
  residual_.vjp(u_, lambda, work_, nullptr);
  check(VecAYPX(work_, -1.0, u_bar));  // ū − Kᵀ λ; only the constrained rows are used
  residual_.constrained_rows().copy(work_, lambda);
  return report;
}

}  // namespace invar
