#pragma once
#include "apps/invar/problem/problem.hpp"
#include "apps/invar/spec/diagnostics.hpp"

namespace invar {

/// Limits of a volume of material that no density can meet, because cells are passive. Collective.
void check_volumes(const Problem& problem, Diagnostics& diagnostics);
/// Numbers that are brought up to date between the rounds of a search need rounds, and the other way round.
void check_rounds(const Problem& problem, Diagnostics& diagnostics);

}  // namespace invar
