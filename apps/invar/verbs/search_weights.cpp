#include <cmath>
#include <cstdio>

#include "apps/invar/problem/posterior_spec.hpp"
#include "apps/invar/problem/weight_spec.hpp"
#include "apps/invar/verbs/search.hpp"
#include "libadjoint/optimize/search_sequence.hpp"
#include "libadjoint/solve/scientific.hpp"

namespace invar {
namespace {

std::string trial_text(const WeightTrial& t) {
  if (!t.ok()) return "  weight " + short_number(t.weight, 4) + ": rejected, " + t.rejected;
  std::string text = "  weight " + short_number(t.weight, 4) + ": χ² " + short_number(t.chi_squared, 5) + ", penalty " + short_number(t.penalty, 4);
  if (t.has_evidence()) text += ", resolved directions " + short_number(t.resolved_directions, 4) + ", -ln evidence " + short_number(t.negative_log_evidence, 6);
  return text + (t.converged ? "" : "; its search has not converged");
}

}  // namespace

/// All searches end at about the same norm of the gradient as the first one.
double Search::tolerance_from(const DesignVector& start, double asked) {
  const double there = projected_gradient_norm(*problem_.functional, start);
  if (now_.trials.empty() || !(now_.first_gradient > 0)) now_.first_gradient = there;
  return warm_start_tolerance(asked, there, now_.first_gradient);
}

/// One search per weight, with continued counts; then back to the one that is chosen.
OptimizerResult Search::over_weights(OptimizerOptions options) {
  SoughtWeight& sought = *problem_.weight;
  CaseFunctional& functional = *problem_.functional;
  const double asked = options.gradient_tolerance;
  OptimizerResult result;
  if (from_) {
    result = from_->before;
    now_.trials = from_->trials;
    now_.first_gradient = from_->first_gradient;
    now_.tolerance = from_->tolerance;
  }
  for (const WeightTrial& t : now_.trials) sought.search.add(t);
  while (const std::optional<double> weight = sought.search.next()) {
    sought.regularisation.set(*weight);
    const int k = sought.search.nearest(*weight);
    const DesignVector start = k < 0 ? functional.start() : sought.regularisation.moved(now_.done[k].theta, now_.trials[k].weight);
    now_.stage = static_cast<int>(now_.trials.size());
    now_.before = result;
    session_.console().line("  weight " + std::to_string(now_.stage + 1) + ": " + short_number(*weight, 6));
    if (!from_) now_.tolerance = tolerance_from(start, asked);
    options.gradient_tolerance = now_.tolerance;
    options.on_iteration = [&, limit = options.max_iterations](const IterationReport& report, const DesignVector& theta) { return note(report, theta, limit); };
    prepare(options);
    result = optimizer_->minimize(functional, start);
    add_counts(result, now_.before);
    if (result.stopped || session_.cut_short()) return result;
    WeightTrial trial{.weight = *weight, .rejected = result.reason};
    if (std::isfinite(result.value)) {
      PosteriorOptions all = posterior_options(problem_);
      all.rank = PosteriorOptions().rank;  // a part of the eigenvalues would give another evidence
      LaplacePosterior posterior(all);
      session_.console().underway("assessing the weight");
      trial = sought.regularisation.assess(result.theta, sought.search.options().rule == WeightRule::evidence ? &posterior : nullptr);
      trial.converged = result.converged;
      if (session_.cut_short()) return result;
    }
    session_.console().line(trial_text(trial));
    now_.done.push_back(result);
    now_.trials.push_back(trial);
    sought.search.add(std::move(trial));
  }
  return at_chosen_weight(result);
}

/// The result for the chosen weight, after all searches, the last of which had the result `last`.
OptimizerResult Search::at_chosen_weight(const OptimizerResult& last) {
  SoughtWeight& sought = *problem_.weight;
  OptimizerResult result = last;
  if (sought.search.chosen() < 0) {
    result.value = std::nan("");
    result.converged = false;
    result.reason = sought.search.reason();
    return result;
  }
  result = now_.done[sought.search.chosen()];
  sought.regularisation.set(sought.search.trials()[sought.search.chosen()].weight);
  result.iterations = last.iterations, result.evaluations = last.evaluations, result.rejected = last.rejected;
  if (sought.search.settled()) return result;
  result.converged = false;
  result.reason = "no weight is found: " + sought.search.reason();
  return result;
}

}  // namespace invar
