#pragma once
#include <string>

#include "libfem/form/form_residual.hpp"

namespace invar {

/// Which things that must stay apart intersect at rest, else are nearest to each other at u, and where, as words; empty where nothing
/// presses. Collective.
std::string what_bars_the_way(FormResidual& residual, const EvaluationPoint& u);

/// The place of a point [m] as words: "(1, 0.5)".
std::string place_in_words(const std::array<double, 3>& x, int dim);

}  // namespace invar
