#pragma once
#include "apps/invar/verbs/checkpoint.hpp"
#include "apps/invar/verbs/process_accuracy.hpp"
#include "apps/invar/verbs/session.hpp"
#include "libadjoint/optimize/optimizer.hpp"

// Actions of a run with a design at the start of its search. All are collective; J must have been evaluated there.
namespace invar {

/// Checks the gradient at the start, because at an optimum it is too small to compare. Writes certificate.json. False if the
/// gradient is wrong.
bool certify_start(Session& session, ProcessAccuracy& trust);

/// Compares J at the start with its value when the run began. Differences in the last digits are a warning. Throws SpecError for
/// larger ones, as data or mesh files may have changed.
void require_same_start(Session& session, double value, const Checkpoint& from);

/// Objective and gradient, as `invar gradient` writes them, in place of a search.
OptimizerResult evaluate_start(Session& session);

}  // namespace invar
