#pragma once
#include <string>

#include "libfem/form/form_residual.hpp"

namespace invar {

/// Describes which objects that must not intersect do so at rest or, if none, which are nearest to each other at u, and where; empty
/// if there is no contact pressure. Collective.
std::string what_bars_the_way(FormResidual& residual, const EvaluationPoint& u);

/// Text of a position [m]: "(1, 0.5)".
std::string place_in_words(const std::array<double, 3>& x, int dim);

}  // namespace invar
