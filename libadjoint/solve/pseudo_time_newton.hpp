#pragma once
#include "libadjoint/solve/linear_solver.hpp"
#include "libadjoint/solve/newton.hpp"
#include "libadjoint/solve/newton_report.hpp"
#include "libadjoint/solve/nonlinear_system.hpp"

namespace invar {

struct PseudoTimeOptions {
  double first_cfl = 10;
  double least_cfl = 1e-2;   // the solve fails below it
  int max_iterations = 400;  // steps, rejected ones included
};

/// Pseudo-transient continuation: each step is one Newton step of implicit Euler in pseudo-time,
///   (∂r/∂u + M(u)/CFL) δu = −r(u),
/// shortened until the residual of that step, r(u + s δu) + M(u) s δu/CFL, is smaller than r(u). Residuals of the flow and of transported
/// components are scaled separately (`PseudoTime::mark_transported`), and changes of transported components are limited (`limit_change`).
/// The CFL number grows after full steps, faster if the residual falls fast, and shrinks if a step must be shortened to less than a quarter
/// (continuing with short steps at a large CFL number took ten times as many for a cavity at Re 7500). The iteration ends like Newton's
/// method.
/// Small CFL numbers follow the flow in time, away from an unstable steady state. If ‖r‖ has grown tenfold from its minimum, the iteration
/// returns to that point and from then on keeps its CFL number and takes shorter steps instead. (C. T. Kelley, D. E. Keyes, SIAM J. Numer.
/// Anal. 35, 1998; M. Ceze, K. Fidkowski, AIAA J. 53, 2015.)
class PseudoTimeNewton {
 public:
  /// `linear` is kept by reference.
  PseudoTimeNewton(LinearSolver& linear, NewtonOptions newton, PseudoTimeOptions options = {})
      : linear_(linear), newton_(newton), options_(options) {}

  /// Solves r(u) = 0 from u; u ends at the last accepted point. Converged when ‖r‖ is small and a full step reduces it by a factor of ten,
  /// so that Newton's method can take over: call that next. A failure is a report. Collective.
  NewtonReport solve(NonlinearSystem& system, Vec u, double force_scale);

 private:
  LinearSolver& linear_;
  NewtonOptions newton_;
  PseudoTimeOptions options_;
};

}  // namespace invar
