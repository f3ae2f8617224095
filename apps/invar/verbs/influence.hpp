#pragma once
#include "apps/invar/problem/problem.hpp"

namespace invar {

/// Throws SpecError naming each design variable on which nothing depends: at the start, neither data
/// nor objective change with it, to first and second order. The start must have been solved.
/// Collective.
void require_influence(Problem& problem);

}  // namespace invar
