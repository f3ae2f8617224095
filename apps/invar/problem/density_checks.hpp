#pragma once
#include "apps/invar/problem/problem.hpp"
#include "apps/invar/spec/diagnostics.hpp"

namespace invar {

/// Reports limits of the volume that no density can satisfy because of passive cells. Collective.
void check_volumes(const Problem& problem, Diagnostics& diagnostics);
/// Reports multipliers or scales that are updated between rounds without rounds, and rounds without them.
void check_rounds(const Problem& problem, Diagnostics& diagnostics);

}  // namespace invar
