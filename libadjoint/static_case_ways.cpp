// Strategies of a static case to reach an equilibrium: initial guesses, pseudo-time, continuation.
#include <algorithm>
#include <cmath>

#include "libadjoint/place_of_residual.hpp"
#include "libadjoint/residual_system.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libadjoint/static_case.hpp"

namespace invar {

/// Pseudo-transient continuation before Newton's method, for equations that need it. From rest, equations with `first_factor` > 1 start
/// from the solution of an easier equation; otherwise from the present state with long steps.
bool StaticCase::approach(const EvaluationPoint& at, bool at_rest, Vec u, ProcessReport& report, NewtonReport& newton) {
  PseudoTime* pseudo_time = residual_->capabilities().pseudo_time;
  const bool out_of_reach = pseudo_time && pseudo_time->first_factor() > 1;
  if (!out_of_reach && !in_pseudo_time_) return true;
  SolveMonitor* monitor = solver_->monitor();
  PseudoTimeOptions options;
  if (!out_of_reach) options.max_iterations = 150;  // other strategies follow
  if (!at_rest) {
    options.first_cfl = out_of_reach ? 1e4 : 100;
  } else if (out_of_reach) {
    constexpr int few = 15, tries = 4;  // Newton steps; factors
    NewtonOptions rough = options_.newton;
    rough.rtol = std::max(rough.rtol, 1e-3);
    rough.to_floor = false;
    rough.max_iterations = std::min(rough.max_iterations, few);
    VecHandle start = residual_->create_vector();
    check(VecCopy(u, start));
    EvaluationPoint easy = at;
    easy.given.continuation = pseudo_time->first_factor();
    newton = {};
    for (int k = 0; k < tries && !newton.converged; ++k, easy.given.continuation *= 10) {
      if (monitor) monitor->stage("  " + plain_number(easy.given.continuation) + " times " + options_.continued + ":");
      check(VecCopy(start, u));
      ResidualSystem system(*residual_, easy.given);
      newton = Newton(*solver_, rough).solve(system, u, force_scale_);
      report.newton_iterations += newton.iterations;
      report.linear_iterations += newton.linear_iterations;
      if (newton.converged) pseudo_time->begin_from_easier(u);
      else report.reason = newton.reason + " (at " + plain_number(easy.given.continuation) + " times " + options_.continued + ")";
    }
    if (!newton.converged) return false;
    residual_->impose_constraints(at.given, u);
  }
  return follow(at, options, u, report, newton);
}

/// Pseudo-transient continuation from u until Newton's method can take over.
bool StaticCase::follow(const EvaluationPoint& at, const PseudoTimeOptions& options, Vec u, ProcessReport& report, NewtonReport& newton) {
  if (SolveMonitor* monitor = solver_->monitor()) monitor->stage("  pseudo-time:");
  ResidualSystem system(*residual_, at.given);
  newton = PseudoTimeNewton(*solver_, options_.newton, options).solve(system, u, force_scale_);
  report.newton_iterations += newton.iterations;
  report.linear_iterations += newton.linear_iterations;
  if (!newton.converged) report.reason = newton.reason + (solver_->stop_asked() ? "" : place_of_residual(*residual_, at, name_unknown));
  return newton.converged;
}

/// Continuation: the equilibrium at `t` through a sequence of easier equations, each started from the previous solution. The ratio of
/// successive parameters adapts to the convergence.
bool StaticCase::solve_by_continuation(double t, Vec u, ProcessReport& report, NewtonReport& newton) {
  constexpr double largest_factor = 1e6, least_ratio = 1.01, greatest_ratio = 10;
  VecHandle trial = residual_->create_vector();
  const auto attempt = [&](double factor, double from) {
    continuation_ = factor;
    if (SolveMonitor* monitor = solver_->monitor())
      monitor->stage("case " + name_ + ", continuation: " + plain_number(factor) + " times " + options_.continued);
    return advance(from, t, trial, options_.max_cuts, report, newton);
  };
  double factor = 1;
  bool solved = false;
  while (!solved && factor < largest_factor) {
    factor *= 10;
    force_scale_ = 0;
    check(VecSet(trial, 0.0));
    solved = attempt(factor, start_);
  }
  force_scale_ /= factor;
  for (double ratio = 4; solved && factor > 1;) {
    check(VecCopy(trial, u));
    const double next = std::max(1.0, factor / ratio);
    if (attempt(next, t)) {
      factor = next;
      ratio = std::min(greatest_ratio, ratio * ratio);
    } else {
      ratio = std::sqrt(ratio);
      solved = ratio > least_ratio;
      check(VecCopy(u, trial));
    }
  }
  if (solved) check(VecCopy(trial, u));
  else report.reason += ", also by continuation (down to " + plain_number(factor) + " times " + options_.continued + ")";
  continuation_ = 1;
  return solved;
}

/// `advance` to t with pseudo-transient continuation before Newton's method, for equations that normally do without it.
bool StaticCase::advance_in_pseudo_time(double from, double t, Vec u, ProcessReport& report, NewtonReport& newton) {
  const std::string why = report.reason;
  in_pseudo_time_ = true;
  const bool solved = advance(from, t, u, options_.max_cuts, report, newton);
  in_pseudo_time_ = false;
  if (!solved && !why.empty()) report.reason += "; before that: " + why;
  return solved;
}

/// The strategies for one step, in the order in which they are tried.
std::vector<StaticCase::Way> StaticCase::ways_to(int step, double from, ProcessReport& report, NewtonReport& newton) {
  using enum LoadSteppingOptions::Continuation;
  const double t = times_[step];
  const PseudoTime* pseudo = residual_->capabilities().pseudo_time;
  const auto may = [&](LoadSteppingOptions::Continuation way) { return options_.continuation == automatic || options_.continuation == way; };
  const bool warm = options_.warm_start && !states_.empty(), follows = pseudo && pseudo->first_factor() <= 1 && may(pseudo_time);
  const bool at_once = follows && options_.continuation == pseudo_time;
  const int uncut = options_.max_cuts;
  return {
      {warm,
       [=, this, &report, &newton](Vec u) {
         check(VecCopy(states_[step], u));
         return advance(t, t, u, uncut, report, newton);
       }},
      {warm && follows,
       [=, this, &report, &newton](Vec u) {
         check(VecCopy(states_[step], u));
         return advance_in_pseudo_time(t, t, u, report, newton);
       }},
      {step == 0 && guess,
       [=, this, &report, &newton](Vec u) {
         if (SolveMonitor* monitor = solver_->monitor()) monitor->stage("case " + name_ + ", t = " + plain_number(t) + ": initial guess");
         if (!guess(*given_.controls, t, u, solver_->shared_monitor())) return false;
         if (advance(t, t, u, uncut, report, newton)) return true;
         force_scale_ = 0;
         return false;
       }},
      {!at_once, [=, this, &report, &newton](Vec u) { return advance(from, t, u, continues() ? uncut : 0, report, newton); }},
      {follows, [=, this, &report, &newton](Vec u) { return advance_in_pseudo_time(from, t, u, report, newton); }},
      {continues() && may(easier), [=, this, &report, &newton](Vec u) { return solve_by_continuation(t, u, report, newton); }},
  };
}

/// The state at one time by the first successful strategy. Each starts from the state u of the previous time.
bool StaticCase::solve_step(int step, double from, Vec u, ProcessReport& report, NewtonReport& newton) {
  if (solve_together(step, u, report, newton)) return true;
  VecHandle trial = residual_->create_vector();
  bool tried = false;
  for (const Way& way : ways_to(step, from, report, newton)) {
    if (!way.open) continue;
    if (tried && solver_->stop_asked()) return false;
    tried = true;
    check(VecCopy(u, trial));
    if (!way.go(trial)) continue;
    check(VecCopy(trial, u));
    return true;
  }
  return false;
}

}  // namespace invar
