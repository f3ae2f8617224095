#pragma once
#include "apps/invar/problem/problem.hpp"

namespace invar {

/// The quantity of the states that were solved last. Collective.
double value_of(Problem& problem, const Quantity& quantity);

/// Why its value is not a number, as a sentence.
std::string why_undefined(const Problem& problem, const Quantity& quantity);

/// A sum over steps whose derivative is that of the quantity at these states; without observable where the
/// quantity knows no derivative. Collective.
ProcessTerm linearised(Problem& problem, const Quantity& quantity);

}  // namespace invar
