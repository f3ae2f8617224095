#include "libadjoint/optimize/search_sequence.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "libadjoint/optimize/bounds.hpp"

namespace invar {

void add_counts(OptimizerResult& result, const OptimizerResult& before) {
  result.iterations += before.iterations;
  result.evaluations += before.evaluations;
  result.rejected += before.rejected;
}

OptimizerResult search_in_stages(CaseFunctional& functional, StagedDesign& staged, int first, OptimizerResult before, const StageSearch& search) {
  OptimizerResult result = std::move(before);
  for (int k = first; k < staged.stage_count(); ++k) {
    staged.begin_stage(k);
    functional.forget();
    OptimizerResult of_stage = search(k, result);
    add_counts(of_stage, result);
    result = std::move(of_stage);
    if (!std::isfinite(result.value) || result.stopped) return result;
    if (k + 1 == staged.stage_count()) break;
    if (const Evaluation e = functional.update_adaptive_parameters(result.theta); !e.ok) {
      result.converged = false;
      result.reason = e.reason;
      return result;
    }
  }
  if (!result.converged && result.feasible) {
    result.converged = true;
    result.reason = "every stage has run";
  }
  return result;
}

double projected_gradient_norm(ReducedFunctional& functional, const DesignVector& theta) {
  DesignVector g;
  if (!functional.value(theta).ok || !functional.gradient(theta, g).ok) return std::nan("");
  return norm(Bounds(functional).projected(theta, g), functional.comm());
}

double warm_start_tolerance(double asked, double there, double first) {
  constexpr double loosest = 0.1;
  return there > 0 ? std::min(loosest, asked * std::max(1.0, first / there)) : asked;
}

}  // namespace invar
