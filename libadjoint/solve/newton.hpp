#pragma once
#include "libadjoint/param_spec.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libadjoint/solve/newton_report.hpp"
#include "libadjoint/solve/nonlinear_system.hpp"

namespace invar {

struct NewtonOptions {
  double rtol = 1e-10;        // of max(‖r at the start‖, force scale)
  double atol = 0;            // in the unit of r
  int min_iterations = 0;     // 1: a start within the tolerance is still improved, so that what is left of the
                              // residual does not show in differences between neighbouring solutions
  int max_iterations = 50;
  int patience = 0;           // steps within which ‖r‖ must halve, else the solve has failed; 0: as many as there are
  bool to_floor = false;      // go on, on the last tangent, until ‖r‖ no longer falls to a half
  bool line_search = true;    // false: full steps, shortened only where inadmissible
  int max_backtracks = 25;    // shortenings of one step
  double max_forcing = 0.1;   // loosest relative tolerance of an inexact linear solve
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
///
/// A step is accepted on sufficient decrease of the potential where the system has one (Armijo),
/// else of ‖r‖ or of the next step with the same tangent (natural monotonicity); an uphill direction of the potential
/// (indefinite tangent) is reversed. A step that ends at an inadmissible point is shortened. With Krylov methods or
/// kept factors the linear solves are only as tight as useful (Eisenstat & Walker 1996, choice 2), and the
/// preconditioner is kept where the last step reduced the residual to a third. A linear solve that stalls is still a
/// step where its residual is below the loosest tolerance.
///
/// Converged when ‖r‖ ≤ max(atol, rtol·‖r₀‖, rtol·force_scale), or when the residual no longer
/// falls to a half and ‖r‖ ≤ 10 ε (‖ |K| |u| ‖ + force_scale): what rounding u and the loads to
/// double leaves, with K and u from before the step. Equations must not lose more than that by themselves,
/// as those that add to u before they use it (F = 1 + ∇u) would.
class Newton {
 public:
  /// `linear` is kept by reference.
  explicit Newton(LinearSolver& linear, NewtonOptions options = {});

  /// Solves r(u) = 0 from u. u ends at the last accepted point. `force_scale`: a force, in the
  /// unit of ‖r‖, that the problem is about; makes solves from a nearly balanced start end. A
  /// failure is a report, never an exception. The matrix is left at the last but one point: call `jacobian`
  /// again before an adjoint. Collective.
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
