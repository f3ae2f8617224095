// Computation of the path; derivatives are in path_derivatives.cpp.
#include "libadjoint/path/path_case.hpp"

#include <cmath>

#include "libadjoint/solve/scientific.hpp"

namespace invar {

/// Target of one step of a path.
struct PathCase::Target {
  double t_before = 0, t = 0;
  bool chords = false;
  double c_before = 0;     // controlled quantity at the previous point
  Vec u_before = nullptr;
  Vec chord_before = nullptr;  // with chords: the previous chord, if there is one

  double time(double share) const { return t_before + share * (t - t_before); }
  double value(double share) const {
    const double length = share * (t - t_before);
    return chords ? length * length : c_before + share * (t - c_before);
  }
};

PathCase::PathCase(std::string name, std::shared_ptr<Residual> residual, std::shared_ptr<LinearSolver> solver,
                   PathControl control, std::vector<double> times, double start, PathOptions options)
    : Case(std::move(name), std::move(residual), std::move(times)), solver_(std::move(solver)),
      control_(std::move(control)), start_(start), options_(std::move(options)), factor_(residual_, control_.scaled),
      system_(residual_, factor_, control_.quantity, *solver_), rest_(residual_->create_vector()),
      chord_(residual_->create_vector()) {
  use_errors_of(*solver_);
}

std::string PathCase::point_name(std::size_t step) const {
  return "point " + std::to_string(step + 1) + " of " + std::to_string(times_.size()) + " of the path (t = " + plain_number(times_[step]) + ")";
}

/// Predictor: along the tangent; with chords in the direction of the previous chord.
bool PathCase::predict(const Target& target, double from, double to, Vec u, double& lambda, ProcessReport& report) {
  VecHandle r = residual_->create_vector(), du = residual_->create_vector();
  double d_lambda = 0;
  const bool sets_out = target.chords && from == 0;
  factor_.set(lambda);
  if (!residual_->residual(system_.point(u), r)) {
    report.reason = "the initial state of the step is inadmissible (an inverted element, or a load that is not a number)";
    return false;
  }
  double c_missing = system_.control_value(u) - target.value(to);
  if (sets_out) {
    system_.linearise(u, lambda, {target.chord_before, target.chord_before == nullptr});
    c_missing = -1;  // any value: the length is set later
    check(VecSet(r, 0.0));
  } else {
    system_.linearise(u, lambda);
  }
  if (report.reason = system_.deficiency(); !report.reason.empty()) return false;
  const SolveReport predictor = system_.solve_tangent(r, c_missing, du, d_lambda);
  report.linear_iterations += predictor.iterations;
  if (!predictor.converged) {
    report.reason = predictor.reason;
    if (predictor.singular_dof < system_.size()) report.reason += singular_unknown(predictor);
    if (predictor.singular)
      report.reason += sets_out && !target.chord_before
                           ? "; the constraints leave part of the state undetermined: " + advice_if_singular
                           : "; the loads whose factor is the unknown do not change the prescribed quantity here (or constraints are missing): prescribe what they move; "
                             "loads given as formulas stay constant";
    return false;
  }
  double length = 1;
  if (sets_out) {
    double square = 0;
    control_.quantity->evaluate(system_.point(du), &square);
    length = std::sqrt(target.value(to) / square);
  }
  check(VecScale(du, length));
  return follow(u, du, lambda, length * d_lambda, report);
}

/// Moves the point (u, λ) along (du, d_lambda), and constrained unknowns to their values there. Where bodies meet on the way it ends before them; Newton's
/// method, whose steps are limited alike, goes on from there, since the quantity is an equation and constrained unknowns follow λ.
bool PathCase::follow(Vec u, Vec du, double& lambda, double d_lambda, ProcessReport& report) {
  StepLimit* limit = residual_->capabilities().step_limit;
  const double part = limit ? limit->longest_step(system_.point(u), du) : 1;
  check(VecAXPY(u, part, du));
  lambda += part * d_lambda;
  factor_.set(lambda);
  const EvaluationPoint there = system_.point(u);
  VecHandle from = residual_->create_vector();
  check(VecCopy(u, from));
  residual_->impose_constraints(there.given, u);
  if (part == 1) return true;
  VecHandle rest = residual_->create_vector();  // of the way of those that formulas in t move
  check(VecWAXPY(rest, -1.0, from, u));
  double way = 0, size = 0;
  check(VecNorm(rest, NORM_INFINITY, &way));
  check(VecNorm(u, NORM_INFINITY, &size));
  if (way <= 1e-12 * size || limit->longest_step({from, there.given}, rest) == 1) return true;
  report.reason = "the prescribed motion is larger than bodies in contact can follow in one step" + (explain ? explain({from, there.given}) : std::string());
  return false;
}

/// Computes the next point, or an intermediate one. A step that fails is halved; intermediate points are equilibria too.
bool PathCase::advance(const Target& target, double from, double to, Vec u, double& lambda, int depth,
                       ProcessReport& report, NewtonReport& newton) {
  if (solver_->stop_asked()) {
    report.reason = "interrupted";
    return false;
  }
  VecHandle trial = residual_->create_vector();
  check(VecCopy(u, trial));
  double factor = lambda;
  system_.set_time(target.time(to));
  if (SolveMonitor* monitor = solver_->monitor())
    monitor->stage("case " + name_ + ", t = " + plain_number(target.time(to)) + " on the path");
  const bool ok = [&] {
    if (!predict(target, from, to, trial, factor, report)) return false;
    system_.linearise(trial, factor);
    force_scale_ = std::max(force_scale_, system_.load_norm());
    system_.set_target(target.value(to));
    VecHandle x = system_.pack(trial, factor);
    Newton method(*solver_, options_.newton);
    newton = method.solve(system_, x, force_scale_);
    report.newton_iterations += newton.iterations + 1;
    report.linear_iterations += newton.linear_iterations;
    if (!newton.converged) {
      report.reason = newton.reason;
      if (explain && newton.residuals.empty()) report.reason += explain(system_.point(trial));
      return false;
    }
    factor = system_.unpack(x, trial);
    if (!target.chord_before) return true;
    VecHandle chord = residual_->create_vector();
    check(VecWAXPY(chord, -1.0, target.u_before, trial));
    double forward = 0;  // product of both chords in the norm of c
    control_.quantity->jvp(system_.point(target.chord_before), chord, nullptr, &forward);
    if (forward <= 0) report.reason = "the path turns back within one step: use shorter steps";
    return forward > 0;
  }();
  if (ok) {
    check(VecCopy(trial, u));
    lambda = factor;
    return true;
  }
  if (depth >= options_.max_cuts) return false;
  ++report.cuts;
  const double middle = 0.5 * (from + to);
  return advance(target, from, middle, u, lambda, depth + 1, report, newton) &&
         advance(target, middle, to, u, lambda, depth + 1, report, newton);
}

ProcessReport PathCase::run(const Controls& d, std::span<const Seed> seeds) {
  given_.controls = std::make_shared<const Controls>(d);
  factor_.set_controls(given_.controls);
  linearised_step_ = -1;
  solver_->invalidate();  // the result must not depend on earlier runs
  force_scale_ = 0;
  ProcessReport report;
  VecHandle u = residual_->create_vector(), rest = residual_->create_vector(), chord;
  std::vector<VecHandle> states;
  std::vector<double> factors;
  double lambda = 0;
  system_.set_time(start_);
  factor_.set(lambda);
  residual_->impose_constraints(system_.point(u).given, u);
  check(VecCopy(u, rest));
  report.reason = begin_from(system_.point(u));
  if (!report.reason.empty()) return report;
  for (std::size_t k = 0; k < times_.size(); ++k) {
    Target target{k ? times_[k - 1] : start_, times_[k], control_.chords, 0, k ? states[k - 1] : rest, chord};
    system_.set_origin(control_.chords ? target.u_before : nullptr);
    target.c_before = system_.control_value(u);
    NewtonReport newton;
    if (!advance(target, 0, 1, u, lambda, 0, report, newton)) {
      report.reason = point_name(k) + (report.cuts ? ", the way to it halved " + std::to_string(report.cuts) + " times" : "") + ": " +
                      report.reason + "; the load factor last found: " + plain_number(lambda);
      if (solver_->stop_asked()) {
        rest_ = std::move(rest);
        states_ = std::move(states);
        factors_ = std::move(factors);
      }
      if (!control_.chords) report.reason += ". If the prescribed quantity turns back (snap-back), prescribe the arc length";
      return report;
    }
    if (control_.chords) {
      chord = residual_->create_vector();
      check(VecWAXPY(chord, -1.0, target.u_before, u));
    }
    VecHandle kept = residual_->create_vector();
    check(VecCopy(u, kept));
    states.push_back(std::move(kept));
    factors.push_back(lambda);
    if (on_step) on_step(static_cast<int>(k), newton);
    if (SolveMonitor* monitor = solver_->monitor())
      monitor->progress("case " + name_ + ", points of the path", (k + 1.0) / static_cast<double>(times_.size()));
  }
  rest_ = std::move(rest);
  states_ = std::move(states);
  factors_ = std::move(factors);
  finish_run(report, seeds);
  return report;
}

// ---- observations -----------------------------------------------------------------------------------

void PathCase::at_step(int step) {
  system_.set_time(times_[step]);
  factor_.set(factors_[step]);
}

Setting PathCase::setting(int step) const { return {factor_.effective_at(factors_[step]), times_[step], times_[step]}; }

void PathCase::observe(int step, Observable& observable, double* y) { observable.evaluate(point(step), y); }

void PathCase::visit_states(const std::function<void(int step, const EvaluationPoint& u)>& visit) {
  for (int k = 0; k < static_cast<int>(states_.size()); ++k) show(point(k), [&](const EvaluationPoint& u) { visit(k, u); });
}

void PathCase::with_state(int step, const std::function<void(const EvaluationPoint& u)>& use) { show(point(step), use); }

}  // namespace invar
