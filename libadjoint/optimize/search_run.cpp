#include "libadjoint/optimize/search_run.hpp"

namespace invar {

SearchRun::SearchRun(const OptimizerOptions& options, ReducedFunctional& functional,
                     const DesignVector& start, SearchState& state)
    : options_(options), functional_(functional), bounds_(functional),
      layout_(functional.comm(), start), state_(state) {
  bounds_.require_inside(start, functional);
  result_.theta = start;
  if (!has_iterate()) return;
  if (!all(state_.theta.size() == layout_.n()))
    throw std::invalid_argument("the saved state belongs to another problem");
  result_.theta = layout_.design(state_.theta);
  bounds_.require_inside(result_.theta, functional);
  result_.value = state_.value;
}

void SearchRun::reject(const std::string& why) {
  ++state_.rejected;
  ++rejected_since_accept_;
  state_.last_rejection = why;
}

double SearchRun::accept(const DesignVector& theta, double value) {
  DesignVector step = theta;
  step.axpy(-1.0, result_.theta);
  if (has_iterate()) ++state_.iteration;
  result_.theta = theta;
  result_.value = state_.value = value;
  state_.theta = layout_.flat(theta);
  rejected_since_accept_ = 0;
  return norm(step, functional_.comm());
}

void SearchRun::measure(double gradient) {
  if (std::isnan(state_.gradient_start)) state_.gradient_start = gradient;
  result_.relative_gradient = state_.gradient_start > 0 ? gradient / state_.gradient_start : 0.0;
}

void SearchRun::report(double step) {
  if (!options_.on_iteration) return;
  result_.stopped = !all(options_.on_iteration(
      {state_.iteration, result_.value, result_.relative_gradient, step, state_.evaluations,
       state_.rejected, MPI_Wtime() - start_time_},
      result_.theta));
}

void SearchRun::check_limits() {
  if (finished()) return;
  if (result_.stopped)
    finish(false, "stopped on request");
  else if (state_.iteration >= options_.max_iterations)
    finish(false, "the limit of " + std::to_string(options_.max_iterations) +
                      " iterations is reached");
}

void SearchRun::finish(bool converged, std::string reason) {
  result_.converged = converged;
  result_.reason = std::move(reason);
}

OptimizerResult SearchRun::outcome() {
  result_.iterations = state_.iteration;
  result_.evaluations = state_.evaluations;
  result_.rejected = state_.rejected;
  result_.last_rejection = state_.last_rejection;
  return result_;
}

}  // namespace invar
