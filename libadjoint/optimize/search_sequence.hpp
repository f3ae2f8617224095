#pragma once
#include <functional>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/maps/staged_design.hpp"
#include "libadjoint/optimize/optimizer.hpp"

namespace invar {

// Searches that follow each other, each from a result of one before.

/// Adds the counts of the searches before, whose last result is `before`.
void add_counts(OptimizerResult& result, const OptimizerResult& before);

/// Searches in a stage of the design, from the result of the stages before it.
using StageSearch = std::function<OptimizerResult(int stage, const OptimizerResult& before)>;

/// One search in each stage of `staged` (continuation), from stage `first` on; `before`: the result of the stages before that, or the start. Adaptive
/// parameters of the functional are updated between two stages. Returns the result of the last stage, with the counts of all. The sequence ends where a
/// search was stopped, could not evaluate its start, or the parameters cannot be updated. A feasible result after the last stage counts as converged:
/// reaching the limit of steps of a stage is no failure. Collective.
OptimizerResult search_in_stages(CaseFunctional& functional, StagedDesign& staged, int first, OptimizerResult before, const StageSearch& search);

/// Norm of the projected gradient at θ; NaN where it cannot be evaluated. The value is evaluated first, as optimisers do. Collective.
double projected_gradient_norm(ReducedFunctional& functional, const DesignVector& theta);

/// Relative gradient tolerance of a search that starts close to its end, where the projected gradient has the norm `there`, so that it ends at about the
/// same norm as a first search from `first` with the tolerance `asked`. At most 0.1, and not below `asked`.
double warm_start_tolerance(double asked, double there, double first);

}  // namespace invar
