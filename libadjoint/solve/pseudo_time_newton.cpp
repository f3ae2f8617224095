#include "libadjoint/solve/pseudo_time_newton.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "libadjoint/solve/scientific.hpp"

namespace invar {

namespace {

constexpr double least_step = 0.25;        // fraction of the Newton step below which the CFL number is reduced instead
constexpr double least_short_step = 1.0 / 256;  // the same after pseudo-time has led away from the steady state
constexpr double led_away = 10;            // growth of the residual from its minimum that indicates this
constexpr double growth = 2, most_growth = 10, shrinkage = 0.25;  // the CFL number grows after full steps only
constexpr double runaway = 1e3;            // growth of the residual at which the solve fails
constexpr double hand_over = 1e-6;         // relative to the residual at the start: Newton's method may take over below it
constexpr double converging = 0.1;         // reduction of the residual in a full step that shows that Newton's method will converge
constexpr double largest_cfl = 1e12;

double norm_of(Vec r) {
  PetscReal norm = 0;
  check(VecNorm(r, NORM_2, &norm));
  return norm;
}

/// ‖r‖ of the rows of the flow and of the transported components (`PseudoTime::mark_transported`). Collective.
using Norms = std::array<double, 2>;
Norms norms_of(Vec r, Vec transported) {
  PetscInt n = 0;
  const double *a = nullptr, *marks = nullptr;
  check(VecGetLocalSize(r, &n));
  check(VecGetArrayRead(r, &a));
  check(VecGetArrayRead(transported, &marks));
  Norms norms{};
  for (PetscInt row = 0; row < n; ++row) norms[marks[row] != 0] += a[row] * a[row];
  check(VecRestoreArrayRead(transported, &marks));
  check(VecRestoreArrayRead(r, &a));
  MPI_Allreduce(MPI_IN_PLACE, norms.data(), 2, MPI_DOUBLE, MPI_SUM, PetscObjectComm(reinterpret_cast<PetscObject>(r)));
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

int sum_over_ranks(int count, Vec like) {
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, MPI_SUM, PetscObjectComm(reinterpret_cast<PetscObject>(like)));
  return count;
}

/// Merit function: residuals with different units, each relative to its largest value at an accepted point. (With ‖r‖ alone an eddy
/// viscosity of 10⁵ in its units would decide about every step, and momentum about none.)
struct Merit {
  Norms sizes{};

  void accept(const Norms& norms) {
    for (std::size_t e = 0; e < norms.size(); ++e) sizes[e] = std::max(sizes[e], norms[e]);
  }
  /// Merit function for the trial points of one step; norms: at the first trial. An equation that was solved up to rounding before has no
  /// scale yet and gets it here.
  Merit with_trial(const Norms& norms) const {
    constexpr double solved = 1e-6;
    Merit merit = *this;
    for (std::size_t e = 0; e < norms.size(); ++e)
      if (sizes[e] < solved * norms[e]) merit.sizes[e] = norms[e];
    return merit;
  }
  double of(const Norms& norms) const {
    double square = 0;
    for (std::size_t e = 0; e < norms.size(); ++e)
      if (sizes[e] > 0) square += norms[e] * norms[e] / (sizes[e] * sizes[e]);
    return std::sqrt(square);
  }
};

}  // namespace

NewtonReport PseudoTimeNewton::solve(NonlinearSystem& system, Vec u, double force_scale) {
  NewtonReport report;
  NonlinearSystem::Damping& damping = *system.damping();
  VecHandle trial, step, change, r, trial_r, damped_r;
  check(VecDuplicate(u, trial.out()));
  check(VecDuplicate(u, change.out()));
  check(VecDuplicate(u, r.out()));
  check(VecDuplicate(u, trial_r.out()));
  check(VecDuplicate(u, damped_r.out()));
  check(VecDuplicate(u, step.out()));
  const auto end = [&](bool converged, std::string reason) {
    report.converged = converged;
    report.reason = std::move(reason);
    return report;
  };
  if (!system.residual(u, r)) return end(false, "the start is not admissible");
  double norm = norm_of(r), cfl = options_.first_cfl;
  VecHandle transported = zeros_like(u);
  check(VecSet(transported, 0.0));
  damping.mark_transported(transported);
  Norms norms = norms_of(r, transported);
  Merit merit, of_step;
  merit.accept(norms);
  report.residuals.push_back(norm);
  const double forces = std::max(norm, force_scale), solved = std::max(newton_.atol, newton_.rtol * forces);
  const double target = std::max(solved, hand_over * forces);
  SolveMonitor* monitor = linear_.monitor();
  int refused = 0;  // trial points since the last accepted one
  VecHandle nearest;  // point with the smallest residual
  check(VecDuplicate(u, nearest.out()));
  check(VecCopy(u, nearest));
  double least = norm, nearest_cfl = cfl, shortest = least_step;
  // With a distant start, such as a large eddy viscosity, any residual looks small: steps must also have begun to converge.
  bool converges = norm <= target;
  for (int k = 0; norm > target || (norm > solved && !converges); ++k) {
    if (k >= options_.max_iterations)
      return end(false, "no convergence within " + std::to_string(k) + " steps in pseudo-time: residual " + scientific(norm) + ", wanted " + scientific(target));
    if (linear_.stop_asked()) return end(false, "interrupted");
    if (system.update_pattern(u)) linear_.invalidate();
    damping.jacobian(u, cfl);
    linear_.set_operator(system.matrix(), system.symmetric());
    constexpr double tight = 1e-3;
    report.linear = linear_.solve(r, step, linear_.inexact() ? tight : linear_.rtol());
    report.count(report.linear);
    double s = 0;
    bool first = true;
    int limited = 0;
    if (report.linear.residual <= newton_.max_forcing && !report.linear.singular) {
      check(VecScale(step, -1));
      system.constrain_step(step);
      for (s = system.longest_step(u, step); s >= shortest; s *= 0.5, ++refused) {
        check(VecWAXPY(trial, s, step, u));
        limited = damping.limit_change(u, trial);
        if (!system.residual(trial, trial_r)) {
          ++report.inadmissible;
          continue;
        }
        check(VecCopy(trial_r, damped_r));
        check(VecWAXPY(change, -1.0, u, trial));
        damping.add(u, change, cfl, damped_r);
        const Norms damped = norms_of(damped_r, transported);
        if (std::exchange(first, false)) of_step = merit.with_trial(damped);
        if (of_step.of(damped) < of_step.of(norms)) break;
      }
    }
    if (s < shortest) {
      cfl *= shrinkage;
      if (cfl < options_.least_cfl)
        return end(false, "no decrease in pseudo-time at a CFL number of " + scientific(options_.least_cfl) + ": residual " + scientific(norm));
      continue;
    }
    check(VecCopy(trial, u));
    std::swap(r, trial_r);
    const double before = norm, merit_before = of_step.of(norms);
    norm = norm_of(r);
    norms = norms_of(r, transported);
    merit.accept(norms);
    const double fall = merit_before / of_step.of(norms);
    converges = s >= 1 && norm <= converging * before;
    ++report.iterations;
    report.residuals.push_back(norm);
    report.steps.push_back(s);
    report.refused.push_back(std::exchange(refused, 0));
    report.cfl.push_back(cfl);
    report.limited.push_back(sum_over_ranks(limited, u));
    if (monitor) monitor->pseudo_time(report.iterations, norm, s, cfl, report.limited.back());
    if (norm < least) {
      least = norm;
      nearest_cfl = cfl;
      check(VecCopy(u, nearest));
    } else if (norm > led_away * least && shortest == least_step) {
      check(VecCopy(nearest, u));
      if (!system.residual(u, r)) return end(false, "the point to return to is not admissible");
      norm = norm_of(r);
      norms = norms_of(r, transported);
      cfl = nearest_cfl;
      shortest = least_short_step;
      if (monitor) monitor->stage("  pseudo-time leads away from the steady state: back to a residual of " + scientific(norm) + ", with short steps");
      continue;
    }
    if (norm > runaway * report.residuals.front())
      return end(false, "the state grows without bound in pseudo-time: residual " + scientific(norm) + ", at a CFL number of " + scientific(cfl));
    if (s >= 1) cfl = std::min(largest_cfl, cfl * std::clamp(fall, growth, most_growth));
  }
  return end(true, "converged");
}

}  // namespace invar
