// Accuracy of LinearSolver's solutions: round-off, estimated error, diagnosis of a stalled solve.
#include <algorithm>
#include <cmath>

#include "libadjoint/solve/linear_solver.hpp"
#include "libadjoint/solve/matrix_facts.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libadjoint/solve/solution_error.hpp"

namespace invar {

/// Residual due to rounding the entries of x and sums of m products, relative to ‖b‖: √m ε ‖ |A| |x| ‖ with m products per row (N. J.
/// Higham, Accuracy and Stability of Numerical Algorithms, 2002, 2.8: rounding errors of the terms are assumed independent).
double LinearSolver::round_off(Vec x) const {
  return std::max(4.0, std::sqrt(entries_per_row(A_))) * PETSC_MACHINE_EPSILON * summed_size(A_, x) / b_norm_;
}

/// Whether x is as accurate as round-off permits, and accurate enough to be used. Iterative methods estimate the error with their
/// preconditioner, which is a lower estimate, and do not detect singular matrices, whose solutions grow and round_off(x) with them:
/// their residual must be small whatever x is.
bool LinearSolver::at_round_off(Vec x, bool transpose, SolveReport& report) {
  constexpr double small_residual = 1e-8;
  if (!(report.residual <= round_off(x)) || (!direct_ && report.residual > small_residual)) return false;
  report.error = measured_error(x, transpose);
  if (report.error <= useful_error) return true;
  if (!direct_) return false;
  report.reason = "rounding leaves an error of " + scientific(report.error) + " of the solution by " + report.method +
                  " (nearly singular matrix or bad scaling)";
  return false;
}

double LinearSolver::measured_error(Vec x, bool transpose) {
  PC pc;
  check(KSPGetPC(ksp_, &pc));
  return solution_error(pc, A_, transpose && !symmetric_, r_, x);
}

/// Relative error of x due to the residual r_. Krylov steps with the same old factors leave similar residuals, whose errors are
/// proportional to ‖r‖. The largest ratio of the first few solves is used, since right-hand sides of several seeds alternate.
double LinearSolver::error_left(Vec x, bool transpose) {
  if (factors_ != Factors::stale) return measured_error(x, transpose);
  PetscReal left = 0, size = 0;
  check(VecNorm(r_, NORM_2, &left));
  check(VecNorm(x, NORM_2, &size));
  constexpr int measured = 3;
  auto& [solves, ratio] = error_by_residual_[transpose && !symmetric_];
  if (size > 0 && left > 0 && solves >= measured) return ratio * left / size;
  const double error = measured_error(x, transpose);
  if (size > 0 && left > 0 && std::isfinite(error)) {
    ++solves;
    ratio = std::max(ratio, error * size / left);
  }
  return error;
}

double LinearSolver::error_of(const SolveReport& report, Vec x, bool transpose) {
  constexpr double plenty = 1e-10;  // smaller errors need not be known
  if (!report.converged || report.residual == 0 || !ksp_ || divides()) return 0;
  if (std::isfinite(report.error)) return report.error;
  x = solution_at(x);
  if (!direct_) return error_left(x, transpose);
  // ‖x − A⁻¹ b‖ ≤ ‖A⁻¹‖ ‖r‖ with the estimate of ‖A⁻¹‖ from inverse iteration after the factorisation. The report may be of a larger system
  // than the last one, if the solve started from a guess.
  PetscReal left = 0;
  check(VecNorm(r_, NORM_2, &left));
  const double load = left > 0 ? left / report.residual : b_norm_;
  const double floor = round_off(x) * (b_norm_ / load), bound = 4 * PETSC_MACHINE_EPSILON / weakest_ * std::max(1.0, report.residual / floor);
  if (std::max(bound, floor) <= plenty) return 0;
  return std::max(floor, error_left(x, transpose));
}

void LinearSolver::note_error(SolveReport& report, Vec x, bool transpose) {
  if (!report.converged) return;
  report.error = error_of(report, x, transpose);
  largest_error_ = std::max(largest_error_, report.error);
}

/// Error message of a stalled solve. A residual r with Aᵀ r = 0 proves that A is singular.
void LinearSolver::explain_stall(bool transpose, double rtol, SolveReport& report) {
  if (!std::isfinite(report.residual)) {
    report.reason = "the solution is not finite (singular matrix?)";
    return;
  }
  VecHandle g = zeros_like(r_);
  PetscReal a, r_norm, g_norm;
  check(transpose ? MatMult(A_, r_, g) : MatMultTranspose(A_, r_, g));
  check(MatNorm(A_, NORM_INFINITY, &a));
  check(VecNorm(r_, NORM_2, &r_norm));
  check(VecNorm(g, NORM_2, &g_norm));
  if (g_norm < 1e-12 * a * r_norm) {
    check(VecAbs(r_));
    PetscReal largest;  // PETSc 3.18 crashes for a null pointer
    check(VecMax(r_, &report.singular_dof, &largest));
    report.singular = true;
    report.reason = "singular matrix: a load that nothing resists, largest at dof " +
                    std::to_string(report.singular_dof);
    return;
  }
  report.reason = "relative residual " + scientific(report.residual) + " instead of " +
                  scientific(rtol) + " after " + std::to_string(report.iterations) +
                  " iterations of " + report.method +
                  (direct_                   ? " (nearly singular matrix or bad scaling)"
                   : report.residual > 1e-1 ? " (singular matrix? are there enough constraints?)"
                                            : "");
}

}  // namespace invar
