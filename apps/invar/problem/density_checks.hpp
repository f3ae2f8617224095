#pragma once
#include "apps/invar/problem/problem.hpp"
#include "apps/invar/spec/diagnostics.hpp"

namespace invar {

/// Limits of a volume of material that no density can meet, because cells are passive. Collective.
void check_volumes(const Problem& problem, Diagnostics& diagnostics);

}  // namespace invar
