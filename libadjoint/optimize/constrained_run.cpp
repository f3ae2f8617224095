#include "libadjoint/optimize/constrained_run.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libadjoint/optimize/held_up.hpp"
#include "libadjoint/solve/scientific.hpp"

namespace invar {

OptimizerResult ConstrainedRun::solve(const DesignVector& start) {
  const bool fresh = state_.evaluations == 0;
  if (fresh && !first_evaluation(start)) {
    result_.theta = start;
    finish(false, "the start could not be evaluated: " + state_.last_rejection);
  } else if (!layout_.all(state_.at.gradient.size() == layout_.n() &&
                          state_.at.c.size() == problem_.constraint_count() &&
                          state_.multipliers.size() == problem_.side_count())) {
    throw std::invalid_argument("the saved state belongs to another problem");
  }
  problem_.set_units(state_.units);
  for (bool news = fresh; !finished(); news = true) {
    measure(model());
    if (news) report();
    check_stopping();
    if (!finished()) advance();
  }
  result_.evaluations = state_.evaluations;
  result_.rejected = state_.rejected;
  result_.last_rejection = state_.last_rejection;
  return result_;
}

bool ConstrainedRun::first_evaluation(const DesignVector& start) {
  ConstrainedSample& at = state_.at;
  at.theta = problem_.lifted(start);
  if (!evaluate_with_gradients(at)) return false;
  state_.units = problem_.choose_units(at);
  state_.reference = slope(at);
  state_.ranges = typical_ranges(problem_, at.theta);
  const double by_ranges = layout_.norm(at.gradient.cwiseProduct(state_.ranges));
  if (by_ranges > 0) state_.objective_scale = 1 / by_ranges;
  state_.multipliers = Eigen::VectorXd::Zero(problem_.side_count());
  begin();
  return true;
}

double ConstrainedRun::slope(const ConstrainedSample& s) const {
  Eigen::VectorXd g = s.gradient;
  for (Eigen::Index j = 0; j < g.size(); ++j)
    if (problem_.fixed(j)) g[j] = 0;
  return layout_.norm(g);
}

bool ConstrainedRun::evaluate(ConstrainedSample& trial) {
  ++state_.evaluations;
  const auto failure = problem_.evaluate(trial);
  if (!failure) return true;
  ++state_.rejected;
  state_.last_rejection = *failure;
  return false;
}

bool ConstrainedRun::differentiate(ConstrainedSample& trial) {
  const auto failure = problem_.differentiate(trial);
  if (!failure) return true;
  ++state_.rejected;
  state_.last_rejection = *failure;
  return false;
}

bool ConstrainedRun::evaluate_with_gradients(ConstrainedSample& trial) {
  ++state_.evaluations;
  return differentiate(trial);
}

void ConstrainedRun::accept(ConstrainedSample trial, bool held_back) {
  problem_.tighten(trial);
  const double change = std::abs(trial.value - state_.at.value);
  const bool same = change <= options_.function_tolerance * std::abs(trial.value);
  state_.unchanged = same ? state_.unchanged + 1 : 0;
  state_.step = layout_.norm(trial.theta - state_.at.theta);
  state_.held_back = held_back;
  ++state_.iteration;
  if (state_.reference == 0) state_.reference = slope(trial);
  for (Eigen::Index j = 0; j < layout_.n(); ++j)
    if (!problem_.boxed(j))
      state_.ranges[j] = std::max(state_.ranges[j], std::abs(trial.theta[j]));
  state_.at = std::move(trial);
}

void ConstrainedRun::measure(const Eigen::VectorXd& multipliers) {
  const ConstrainedSample& at = state_.at;
  const Eigen::VectorXd g = problem_.side_values(at.c);
  const Eigen::VectorXd lagrangian =
      at.gradient + problem_.pull_back(at, multipliers / state_.objective_scale);
  const double residual = layout_.norm(problem_.projected(at.theta, lagrangian));
  result_.theta = problem_.design(at.theta);
  result_.value = problem_.objective(at);
  result_.relative_gradient = state_.reference > 0 ? residual / state_.reference : residual;
  result_.violation = problem_.worst_violation(at.c);
  result_.feasible = result_.violation <= options_.constraint_tolerance;
  result_.iterations = state_.iteration;
  gap_ = 0;
  for (Eigen::Index k = 0; k < g.size(); ++k)
    if (!problem_.sides()[static_cast<std::size_t>(k)].equation)
      gap_ += multipliers[k] * std::max(-g[k], 0.0);
}

void ConstrainedRun::report() {
  if (!options_.on_iteration) return;
  const IterationReport report{state_.iteration, result_.value, result_.relative_gradient,
                               state_.step, state_.evaluations, state_.rejected,
                               MPI_Wtime() - start_time_, result_.violation,
                               problem_.constraint_values(state_.at)};
  result_.stopped = !layout_.all(options_.on_iteration(report, result_.theta));
}

void ConstrainedRun::check_stopping() {
  const bool feasible = result_.feasible;
  const double tolerance = options_.gradient_tolerance;
  const bool short_step = state_.iteration > 0 &&
                          state_.step <= options_.step_tolerance * layout_.norm(state_.at.theta);
  if (feasible && result_.relative_gradient <= tolerance && gap_ <= tolerance)
    finish(true, problem_.side_count() == 0
                     ? "the projected gradient is below its tolerance"
                     : "the projected gradient of the Lagrangian is below its tolerance");
  else if (state_.held_back && short_step)
    finish_at_wall();
  else if (feasible && !state_.held_back && state_.unchanged >= 2)
    finish(true, "the objective no longer changes");
  else if (short_step)
    finish_without_step();
  else if (result_.stopped)
    finish(false, "stopped on request");
  else if (state_.iteration >= options_.max_iterations)
    finish(false, "the limit of " + std::to_string(options_.max_iterations) +
                      " iterations is reached");
}

void ConstrainedRun::finish_at_wall() { finish(false, held_up(state_.last_rejection)); }

void ConstrainedRun::finish_without_step() {
  if (result_.feasible)
    finish(true, "the step is below its tolerance");
  else
    finish(false, "no point nearby meets the constraints; the violation stays at " +
                      short_number(result_.violation));
}

void ConstrainedRun::finish(bool converged, std::string reason) {
  result_.converged = converged;
  result_.reason = std::move(reason);
}

}  // namespace invar
