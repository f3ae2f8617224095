#include "libadjoint/time/reused_tangent.hpp"

#include <algorithm>
#include <cmath>

namespace invar {

NewtonReport ReusedTangent::approach(ResidualSystem& system, LinearSolver& linear, const NewtonOptions& options, double force, Vec u, Vec r) {
  constexpr double of_use = 0.5, goes_on = 0.03;  // ratio of ‖r‖ in a step: above the first the step is rejected, above the second it is the last one
  constexpr double tight = 0.5;                   // tolerance of the linear solve relative to the target
  NewtonReport report;
  far_off_ = false;
  if (!age_) return report;
  PetscReal norm;
  check(VecNorm(r, NORM_2, &norm));
  report.residuals.push_back(norm);
  const double target = std::max(options.atol, options.rtol * force);
  VecHandle step, trial, trial_r;
  check(VecDuplicate(r, step.out()));
  check(VecDuplicate(u, trial.out()));
  check(VecDuplicate(r, trial_r.out()));
  while (norm > target || report.iterations < options.min_iterations) {
    const int iterations = report.linear.iterations;
    report.linear = linear.solve(r, step, std::clamp(tight * target / norm, linear.rtol(), options.max_forcing));
    report.linear.iterations += iterations;
    if (!report.linear.converged) return report;
    check(VecScale(step, -1));
    system.constrain_step(step);
    check(VecWAXPY(trial, 1.0, step, u));
    PetscReal trial_norm = 0;
    const bool admissible = system.residual(trial, trial_r);
    if (admissible) check(VecNorm(trial_r, NORM_2, &trial_norm));
    far_off_ = !admissible || trial_norm > std::max(target, of_use * norm);
    if (far_off_) return report;
    check(VecCopy(trial, u));
    check(VecCopy(trial_r, r));
    ++report.iterations;
    report.residuals.push_back(trial_norm);
    report.steps.push_back(1);
    report.refused.push_back(0);
    if (SolveMonitor* monitor = linear.monitor()) monitor->newton(report.iterations, trial_norm, 1);
    const bool enough = trial_norm > goes_on * norm;
    norm = trial_norm;
    if (enough) return report;
  }
  return report;
}

void ReusedTangent::note(bool formed) {
  if (far_off_ && age_ == 1) age_.reset();
  else if (formed) age_ = 1;
  else if (age_) ++*age_;
}

}  // namespace invar
