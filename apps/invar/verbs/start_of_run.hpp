#pragma once
#include "apps/invar/verbs/checkpoint.hpp"
#include "apps/invar/verbs/process_trust.hpp"
#include "apps/invar/verbs/session.hpp"
#include "libadjoint/optimize/optimizer.hpp"

// What a run with a design does at the start of its search. All are collective, and J has been solved there.
namespace invar {

/// Every run proves its gradient, at the start: at an optimum there is nothing left to compare. Writes certificate.json.
/// False where the gradient is wrong.
bool certify_start(Session& session, ProcessTrust& trust);

/// J at the start must be what it was when the run began. Other last digits are a warning. Throws SpecError where more differs: the same
/// spec may still be about other data or another mesh.
void require_same_start(Session& session, double value, const Checkpoint& from);

/// Objective and gradient, as `invar gradient` writes them, in place of a search.
OptimizerResult evaluate_start(Session& session);

}  // namespace invar
