#pragma once
#include "libadjoint/solve/linear_solver.hpp"
#include "libadjoint/solve/newton.hpp"
#include "libadjoint/solve/newton_report.hpp"
#include "libadjoint/solve/nonlinear_system.hpp"

namespace invar {

struct PseudoTimeOptions {
  double first_cfl = 10;
  double least_cfl = 1e-2;   // below it the solve has failed
  int max_iterations = 400;  // steps, rejected ones included
};

/// Pseudo-transient continuation: each step is one Newton step of implicit Euler in pseudo-time,
///   (∂r/∂u + M(u)/CFL) δu = −r(u),
/// shortened until the residual of that step, r(u + s δu) + M(u) s δu/CFL, is smaller than r(u), each equation's by its own size; what changes
/// further than it may is taken back first (`PseudoTime::mark_carried`, `limit_change`). The CFL number grows
/// with steps that are taken whole, faster where the residual falls fast, and shrinks where a step must be shortened to
/// less than a quarter: short steps that went on at a large CFL number took ten times as many (cavity, Re 7500). The
/// iteration ends as Newton's method.
///
/// Small CFL numbers follow the flow in time, and that leads away from a steady state that is unstable. Where ‖r‖ has
/// grown tenfold from its least, the iteration goes back there, and from then on keeps its CFL number and takes shorter
/// steps instead. (C. T. Kelley, D. E. Keyes, SIAM J. Numer. Anal. 35, 1998; M. Ceze, K. Fidkowski, AIAA J. 53, 2015.)
class PseudoTimeNewton {
 public:
  /// `linear` is kept by reference.
  PseudoTimeNewton(LinearSolver& linear, NewtonOptions newton, PseudoTimeOptions options = {})
      : linear_(linear), newton_(newton), options_(options) {}

  /// Solves r(u) = 0 from u, which ends at the last accepted point. Converged when ‖r‖ is small and falls by a factor
  /// of ten in a whole step, so that Newton's method goes on: call that next. A failure is a report. Collective.
  NewtonReport solve(NonlinearSystem& system, Vec u, double force_scale);

 private:
  LinearSolver& linear_;
  NewtonOptions newton_;
  PseudoTimeOptions options_;
};

}  // namespace invar
