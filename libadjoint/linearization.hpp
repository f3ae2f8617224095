#pragma once
#include "libadjoint/residual.hpp"
#include "libadjoint/solve/linear_solver.hpp"

namespace invar {

/// The linear systems with ∂r/∂u and its transpose at a solved state, constraints included. The
/// assembled matrix decouples constrained rows; the coupling is put back here, exactly and without a
/// second matrix, by `jvp` and `vjp`:
///   tangent   u̇_c = −ṙ_c,   K_ff u̇_f = −ṙ_f − K_fc u̇_c
///   adjoint   K_ffᵀ λ_f = ū_f,   λ_c = ū_c − K_fcᵀ λ_f
/// The estimated error of every solve is in its report and noted with the solver.
class Linearization {
 public:
  /// Assembles ∂r/∂u at u. The vectors, the residual and the solver must outlive the object.
  Linearization(Residual& residual, LinearSolver& solver, EvaluationPoint u);

  /// u_dot = −(∂r/∂u)⁻¹ r_dot to the relative residual `rtol` (negative: the solver's own).
  SolveReport solve_tangent(Vec r_dot, Vec u_dot, double rtol = -1);
  /// lambda = (∂r/∂u)⁻ᵀ u_bar. Solvers that iterate begin at `guess`, if it is given and better than zero.
  SolveReport solve_adjoint(Vec u_bar, Vec lambda, Vec guess = nullptr);
  /// λ_f alone, with zeros on constrained rows: for who needs products of λ_f with all of ∂r, K_fcᵀ λ_f among them.
  SolveReport solve_free_adjoint(Vec u_bar, Vec lambda, Vec guess = nullptr);
  /// ‖right-hand side‖ of the last tangent solve over the unconstrained rows: the load that it carried.
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
