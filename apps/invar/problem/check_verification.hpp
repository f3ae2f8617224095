#pragma once
#include "apps/invar/problem/problem.hpp"

namespace invar {

/// Of a problem without design: reports settings of `verify.refine` that do not exist for it, that there is nothing to compare, and options that
/// are for optima.
void check_refinement(const Problem& problem, Diagnostics& diagnostics);

/// Reports checks of an optimum that can never be conclusive, before the search and not after it. Collective.
void check_verification(const Problem& problem, Diagnostics& diagnostics);

}  // namespace invar
