#include "libadjoint/solve/newton.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libadjoint/solve/matrix_facts.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libadjoint/solve/solution_error.hpp"

namespace invar {

namespace {

constexpr double sufficient = 1e-4;   // required fraction of the predicted decrease
constexpr double divergence = 1e12;   // growth of ‖r‖ that ends a solve without line search
constexpr double near_target = 1e3;   // multiple of the tolerance that counts as close to it
constexpr double settled = 0.3;       // ratio of ‖r‖ in a step below which the tangent hardly changes any more
constexpr double nearby = 0.01;       // ‖r‖ / force scale of a start below which the tangent will hardly change

/// Minimiser of the parabola through f(0), f'(0) and f(s), kept within [0.1 s, 0.5 s].
double shorten(double s, double slope, double rise) {
  const double best = -slope * s * s / (2 * (rise - slope * s));
  return std::isfinite(best) ? std::clamp(best, 0.1 * s, 0.5 * s) : 0.5 * s;
}

/// ‖D step‖ / ‖D u‖ with the row scale D of K, so that pressures in Pa do not hide displacements in m.
double relative_length(Mat K, Vec step, Vec u) {
  const VecHandle scale = row_scale(K), scaled = zeros_like(scale);
  PetscReal length, size;
  check(VecPointwiseMult(scaled, scale, step));
  check(VecNorm(scaled, NORM_2, &length));
  check(VecPointwiseMult(scaled, scale, u));
  check(VecNorm(scaled, NORM_2, &size));
  return length / size;
}

}  // namespace

Newton::Newton(LinearSolver& linear, NewtonOptions options)
    : linear_(linear), options_(options) {
  if (options_.rtol <= 0 && options_.atol <= 0)
    throw std::invalid_argument("newton: one of rtol and atol must be positive");
}

bool Newton::evaluate(NonlinearSystem& system, Vec u, Vec r, double& norm) {
  if (!system.residual(u, r)) return false;
  PetscReal value;
  check(VecNorm(r, NORM_2, &value));
  norm = value;
  return std::isfinite(norm);
}

double Newton::forcing(const NewtonReport& report, double target) {
  if (!linear_.inexact()) return linear_.rtol();
  const auto& norms = report.residuals;
  const double power = (1 + std::sqrt(5.0)) / 2, now = norms.back();
  double eta = 0.1 * options_.max_forcing;
  if (norms.size() > 1) {
    eta = 0.9 * std::pow(now / norms[norms.size() - 2], power);
    const double before = 0.9 * std::pow(forcing_, power);
    if (before > 0.1) eta = std::max(eta, before);
  }
  // If the step would end close above the target, the linear solve is continued to the target: cheaper than another Newton step.
  const double enough = 0.5 * target / now;
  if (eta < near_target * enough) eta = enough;
  eta = std::max({eta, enough, linear_.rtol()});
  return forcing_ = std::min(eta, options_.max_forcing);
}

double Newton::round_off(Mat K, Vec u, double force_scale) {
  return 10 * PETSC_MACHINE_EPSILON * (summed_size(K, u) + std::abs(force_scale));
}

/// Whether the simplified Newton step from u + s·step, with the present factors, is shorter than the step from u. Its length measures the
/// distance to the solution where ‖r‖ does not, for example in slender bodies, which are much stiffer in tension than in bending (natural
/// monotonicity test: P. Deuflhard, Newton Methods for Nonlinear Problems, 2004, sec. 3.3).
bool Newton::natural_decrease(double s) {
  constexpr double coarse = 0.1;
  if (!linear_.solve(trial_r_, other_r_, coarse).converged) return false;
  PetscReal next, length;
  check(VecNorm(other_r_, NORM_2, &next));
  check(VecNorm(step_, NORM_2, &length));
  return next <= (1 - 0.25 * s) * length;
}

/// Line search: moves u along `step_` and stores the residual in `r_`; both are unchanged if no step is accepted.
Newton::Step Newton::search(NonlinearSystem& system, Vec u, double& norm, double target,
                            NewtonReport& report) {
  const std::optional<double> potential = options_.line_search ? system.energy(u) : std::nullopt;
  const double energy = potential.value_or(0);
  const auto noise = [](double e) { return 100 * PETSC_MACHINE_EPSILON * std::abs(e); };
  PetscScalar slope = 0;  // directional derivative of the potential
  if (potential) {
    check(VecDot(r_, step_, &slope));
    if (slope > noise(energy)) {
      check(VecScale(step_, -1));
      slope = -slope;
      report.negative_curvature = true;
    }
  }
  // Close to the solution r consists of round-off, and only ‖r‖ is tested.
  const auto far = [&] { return !potential && relative_length(system.matrix(), step_, u) > useful_error; };
  Step outcome = Step::inadmissible;
  double s = system.longest_step(u, step_);
  if (!(s > 0)) return outcome;
  for (int k = 0; k <= options_.max_backtracks; ++k) {
    check(VecWAXPY(trial_u_, s, step_, u));
    double trial_norm = 0, trial_energy = 0;
    bool admissible = evaluate(system, trial_u_, trial_r_, trial_norm);
    if (admissible && potential) {
      trial_energy = system.energy(trial_u_).value_or(HUGE_VAL);
      admissible = std::isfinite(trial_energy);
    }
    if (!admissible) {
      ++report.inadmissible;
      s *= 0.5;
      continue;
    }
    outcome = Step::no_descent;
    const auto brings_nearer = [&] { return far() && natural_decrease(s); };
    const bool by_energy = potential && -slope * s > std::max(noise(energy), noise(trial_energy));
    const bool enough = by_energy ? trial_energy <= energy + sufficient * s * slope
                                  : trial_norm <= (1 - sufficient * s) * norm;
    if (!options_.line_search || enough || trial_norm <= target || brings_nearer()) {
      check(VecCopy(trial_u_, u));
      std::swap(r_, trial_r_);
      norm = trial_norm;
      report.steps.push_back(s);
      report.refused.push_back(k);
      return Step::accepted;
    }
    s = by_energy ? shorten(s, slope, trial_energy - energy)
                  : shorten(s, -norm * norm, 0.5 * (trial_norm * trial_norm - norm * norm));
  }
  return outcome;
}

NewtonReport Newton::solve(NonlinearSystem& system, Vec u, double force_scale) {
  NewtonReport report;
  for (VecHandle* v : {&trial_u_, &step_, &r_, &trial_r_, &other_r_}) check(VecDuplicate(u, v->out()));
  bool stalled = false;  // the last linear solve missed its tolerance
  const auto end = [&](bool converged, std::string reason) {
    report.converged = converged;
    report.reason = std::move(reason);
    if (!converged && stalled) report.reason += "; linear solves stall: " + report.linear.reason;
    return report;
  };
  const auto at_floor = [&] {
    report.at_floor = true;
    return end(true, "converged: the residual is at the round-off floor");
  };

  double norm;
  if (!evaluate(system, u, r_, norm)) return end(false, "the start is not admissible");
  report.residuals.push_back(norm);
  const auto report_iterate = [&] {
    if (SolveMonitor* monitor = linear_.monitor())
      monitor->newton(report.iterations, norm, report.steps.empty() ? 0 : report.steps.back());
  };
  report_iterate();
  const double forces = std::max(norm, std::abs(force_scale));
  const double target = std::max(options_.atol, options_.rtol * forces);
  bool has_tangent = false, at_rest = !options_.to_floor;
  while (norm > target || report.iterations < options_.min_iterations || !at_rest) {
    const bool refining = norm <= target && report.iterations >= options_.min_iterations;
    if (!refining && report.iterations >= options_.max_iterations)
      return end(false, "no convergence within " + std::to_string(report.iterations) + " steps: residual " +
                            scientific(norm) + ", wanted " + scientific(target));
    if (linear_.stop_asked()) return end(false, "interrupted");
    if (!(refining && has_tangent)) {
      if (system.update_pattern(u)) linear_.invalidate();
      if (!system.jacobian(u)) return end(false, "the tangent cannot be formed");
    }
    const double before = norm;
    const auto floor = [&] { return round_off(system.matrix(), u, force_scale); };  // costs a pass over the matrix, and few steps need it
    const auto& norms = report.residuals;
    const bool calm = norms.size() > 1 ? norm < settled * norms[norms.size() - 2] : norm < nearby * std::abs(force_scale);
    const bool reuse = linear_.inexact() ? calm || linear_.options().keep_factors : options_.reuse_factors && linear_.has_dear_factors();
    const KeepFactorsScope factors(linear_, reuse);
    if (!(refining && has_tangent)) linear_.set_operator(system.matrix(), system.symmetric());
    has_tangent = true;
    report.linear = linear_.solve(r_, step_, forcing(report, target));
    report.count(report.linear);
    report.negative_curvature |= report.linear.negative_curvature;
    const bool fair = report.linear.residual <= options_.max_forcing && !report.linear.singular;
    if (!report.linear.converged && refining) break;
    if (!report.linear.converged && !fair) return end(false, "linear solve: " + report.linear.reason);
    stalled = !report.linear.converged;
    check(VecScale(step_, -1));
    system.constrain_step(step_);
    const Step step = search(system, u, norm, target, report);
    if (step != Step::accepted) {
      if (norm <= target) break;
      if (norm <= floor()) return at_floor();
      return end(false, step == Step::inadmissible
                            ? "no admissible point along the Newton step"
                            : "no decrease along the Newton step (stationary, not a solution)");
    }
    ++report.iterations;
    report.residuals.push_back(norm);
    report_iterate();
    if (refining) at_rest = norm > 0.5 * before || norm <= floor();
    if (norm > target && norm > 0.5 * before && norm <= floor()) return at_floor();
    if (options_.patience > 0 && report.iterations >= options_.patience && norm > 0.5 * norms[norms.size() - 1 - options_.patience])
      return end(false, "the residual has not halved in " + std::to_string(options_.patience) + " steps: " + scientific(norm) + ", wanted " + scientific(target));
    if (norm > divergence * std::max(report.residuals.front(), std::abs(force_scale)))
      return end(false, "diverged");
  }
  return end(true, "converged");
}

}  // namespace invar
