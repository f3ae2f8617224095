#pragma once
#include <vector>

#include "libadjoint/case_functional.hpp"

namespace invar {

/// Indices of those among the first `count` shared design variables that have no influence: at the start neither data
/// nor objective change with them, to first and second order, beyond round-off. Empty if the start or a derivative
/// cannot be evaluated. Collective.
std::vector<std::size_t> without_influence(CaseFunctional& functional, std::size_t count);

}  // namespace invar
