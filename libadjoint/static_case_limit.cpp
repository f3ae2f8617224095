// Detection of limit loads in load stepping.
#include "libadjoint/place_of_residual.hpp"
#include "libadjoint/solve/largest_entry.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libadjoint/static_case.hpp"

namespace invar {

/// Records the speed of the equilibrium u at t as the load moves towards `to`. False if it cannot be computed. `r`, `du`: work vectors.
bool StaticCase::watch(double t, double to, Vec u, Vec r, Vec du) {
  if (!residual_->residual(point(to, u), r)) return false;
  // The tangent at t includes the stiffness of follower loads.
  const SolveReport report = Linearization(*residual_, *solver_, point(t, u)).solve_tangent(r, du);
  double size = 0;
  check(VecNorm(du, NORM_2, &size));
  const double speed = size / std::abs(to - t);
  if (!report.converged || !(speed > 0) || !std::isfinite(speed)) return false;
  limit_.add(t, speed);
  return true;
}

/// Call after a step from `from` to `to` has failed. Returns true, and reports it, if the equilibrium path from u ends at a limit load.
/// Moves towards the extrapolated limit, each time most of the way, until it is close; u and `from` are updated. The extrapolation
/// underestimates the limit and improves on the way.
bool StaticCase::ends_at_limit(double& from, double to, Vec u, ProcessReport& report, NewtonReport& newton) {
  // tolerance relative to the load at the limit; fraction of the way to it; fraction of the step if no limit is known
  constexpr double near = 0.002, most = 0.75, first = 0.25;
  constexpr int patience = 12;
  VecHandle r = residual_->create_vector(), du = residual_->create_vector(), trial = residual_->create_vector();
  const std::string why = report.reason;
  double share = 1, before = from;  // the previous extrapolated limit
  for (int k = 0; k < patience; ++k) {
    if (!watch(from, to, u, r, du)) break;
    const std::optional<double> limit = limit_.estimate();
    if (!limit && k > 1) break;
    if (limit && (*limit - from) * (to - *limit) <= 0) break;  // not between the present load and `to`
    const double tolerance = limit ? near * std::abs(*limit - start_) : 0;
    if (limit && k > 0 && std::abs(*limit - from) <= tolerance && std::abs(*limit - before) <= 0.5 * tolerance) {
      const PetscInt row = largest_entry(du, residual_->algebraic_unknowns());
      report.reason = "the load has a limit at t = " + plain_number(*limit) + ", where the tangent becomes singular (last equilibrium found: t = " +
                      plain_number(from) + "); what gives way there is largest at " + name_of_row(row, name_unknown) +
                      ". Beyond it no equilibrium is near: prescribe a quantity of the state in place of the load ('time.control')";
      return true;
    }
    if (limit) before = *limit;
    const double next = from + share * (limit ? most * (*limit - from) : first * (to - from));
    check(VecCopy(u, trial));
    if (attempt(next, trial, report, newton)) {
      check(VecCopy(trial, u));
      from = next;
      share = 1;
    } else {
      share *= 0.5;
    }
  }
  report.reason = why;
  return false;
}

}  // namespace invar
