#pragma once
#include <vector>

#include "apps/invar/problem/problem.hpp"

namespace invar {

/// The entries `kind: number` of `design`; their ranges become those of the problem. Mistakes are recorded.
std::vector<DesignEntry> build_number_entries(Problem& problem, Diagnostics& diagnostics);

/// Numbers of all cases that follow from two others.
std::vector<PolarNumbers> numbers_that_follow(const Problem& problem);

}  // namespace invar
