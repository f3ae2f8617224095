#pragma once
#include "apps/invar/problem/problem.hpp"

namespace invar {

/// Reports settings of `verify.refine` that do not exist for this problem, which has no design, and that there is nothing to compare.
void check_refinement(const Problem& problem, Diagnostics& diagnostics);

/// Reports checks of an optimum that can never be conclusive, before the search and not after it. Collective.
void check_verification(const Problem& problem, Diagnostics& diagnostics);

}  // namespace invar
