#pragma once
#include "libadjoint/residual.hpp"
#include "libadjoint/solve/linear_solver.hpp"

namespace invar {

/// Linear systems with ∂r/∂u and its transpose at a solved state, constraints included. The assembled matrix decouples
/// constrained rows; matrix-free products (`jvp`, `vjp`) restore the coupling exactly, without a second matrix:
///   tangent   u̇_c = −ṙ_c,   K_ff u̇_f = −ṙ_f − K_fc u̇_c
///   adjoint   K_ffᵀ λ_f = ū_f,   λ_c = ū_c − K_fcᵀ λ_f
/// Every report contains the estimated error of the solve; the solver keeps the largest.
class Linearization {
 public:
  /// Assembles ∂r/∂u at u. The vectors, the residual and the solver must outlive the object.
  Linearization(Residual& residual, LinearSolver& solver, EvaluationPoint u);

  /// u_dot = −(∂r/∂u)⁻¹ r_dot to the relative residual `rtol` (negative: the solver's default).
  SolveReport solve_tangent(Vec r_dot, Vec u_dot, double rtol = -1);
  /// lambda = (∂r/∂u)⁻ᵀ u_bar. Iterative solvers start from `guess` if it is given and better than zero.
  SolveReport solve_adjoint(Vec u_bar, Vec lambda, Vec guess = nullptr);
  /// Computes λ_f only, with zeros on constrained rows. For callers that form products of λ_f with all of ∂r, K_fcᵀ λ_f
  /// included.
  SolveReport solve_free_adjoint(Vec u_bar, Vec lambda, Vec guess = nullptr);
  /// Norm of the last tangent solve's right-hand side over the unconstrained rows.
  double load_norm() const { return load_norm_; }

 private:
  SolveReport solve_from(Vec guess, Vec lambda);

  Residual& residual_;
  LinearSolver& solver_;
  EvaluationPoint u_;
  VecHandle rhs_, work_;
  double load_norm_ = 0;
};

}  // namespace invar
