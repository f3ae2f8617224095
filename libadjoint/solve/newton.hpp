#pragma once
#include "libadjoint/param_spec.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libadjoint/solve/newton_report.hpp"
#include "libadjoint/solve/nonlinear_system.hpp"

namespace invar {

struct NewtonOptions {
  double rtol = 1e-10;        // relative to max(‖r at the start‖, force scale)
  double atol = 0;            // in the unit of r
  int min_iterations = 0;     // 1: a start within the tolerance is still improved, so that the remaining
                              // residual does not show in differences between neighbouring solutions
  int max_iterations = 50;
  int patience = 0;           // steps within which ‖r‖ must halve, else the solve fails; 0: no limit
  bool to_floor = false;      // continue with the last tangent until ‖r‖ no longer falls by half
  bool line_search = true;    // false: full steps, shortened only where inadmissible
  int max_backtracks = 25;    // largest number of shortenings of one step
  double max_forcing = 0.1;   // loosest relative tolerance of an inexact linear solve
  bool reuse_factors = false; // expensive factors of a direct method precondition later steps
};

inline constexpr ParamSpec newton_params[] = {
    {.key = "rtol", .unit = "1",
     .doc = "residual relative to the larger of its start value and the force scale",
     .default_value = 1e-10, .lower = 0, .upper = 1, .upper_open = true, .may_be_field = false},
    {.key = "atol", .unit = "unit of the residual", .doc = "absolute residual",
     .default_value = 0, .lower = 0, .may_be_field = false},
    {.key = "max_iterations", .unit = "1", .doc = "most Newton steps of one solve",
     .default_value = 50, .lower = 1, .may_be_field = false},
    {.key = "max_backtracks", .unit = "1", .doc = "most shortenings of one Newton step",
     .default_value = 25, .lower = 0, .may_be_field = false},
    {.key = "max_forcing", .unit = "1", .doc = "loosest relative tolerance of the linear solves",
     .default_value = 0.1, .lower = 0, .upper = 1, .lower_open = true, .upper_open = true,
     .may_be_field = false},
};

/// Newton's method with a backtracking line search.
/// Acceptance of a step: sufficient decrease of the potential if the system has one (Armijo), else of ‖r‖ or of the
/// next simplified Newton step (natural monotonicity test). An ascent direction of the potential (indefinite tangent)
/// is reversed. A step to an inadmissible point is shortened. With Krylov methods or kept factors the tolerance of
/// linear solves is adapted (Eisenstat & Walker 1996, choice 2), and the preconditioner is kept while a step reduces
/// the residual to a third. `reuse_factors` keeps those of a direct method, too, where LinearSolver::has_dear_factors. A linear solve that stalls still gives a step if its residual is below the loosest
/// tolerance.
/// Convergence: ‖r‖ ≤ max(atol, rtol·‖r₀‖, rtol·force_scale); or the residual no longer falls by half and ‖r‖ ≤ 10 ε (‖
/// |K| |u| ‖ + force_scale), the effect of rounding u and the loads, with K and u from before the step. Equations must
/// not cause larger cancellation errors, as those would that add to u before they use it (F = 1 + ∇u).
class Newton {
 public:
  /// `linear` is kept by reference.
  explicit Newton(LinearSolver& linear, NewtonOptions options = {});

  /// Solves r(u) = 0 from u; u ends at the last accepted point. `force_scale`: a typical force of the problem in the
  /// unit of ‖r‖, so that a nearly balanced start can converge. A failure is a report, never an exception. The matrix
  /// is that of the last but one point: call `jacobian` again before an adjoint solve. Collective.
  NewtonReport solve(NonlinearSystem& system, Vec u, double force_scale = 0);

 private:
  enum class Step { accepted, inadmissible, no_descent };

  bool evaluate(NonlinearSystem& system, Vec u, Vec r, double& norm);
  Step search(NonlinearSystem& system, Vec u, double& norm, double target, NewtonReport& report);
  bool natural_decrease(double s);
  double forcing(const NewtonReport& report, double target);
  static double round_off(Mat K, Vec u, double force_scale);

  LinearSolver& linear_;
  NewtonOptions options_;
  double forcing_ = 0;                          // of the last step
  VecHandle r_, step_, trial_u_, trial_r_, other_r_;
};

}  // namespace invar
