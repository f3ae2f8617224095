#pragma once
#include <string>

#include "libfem/form/form_residual.hpp"

namespace invar {

/// The two things that must stay apart and intersect or are closest to each other at u, and the place, as text for a report; empty if nothing
/// is near enough to press. Collective.
std::string what_bars_the_way(FormResidual& residual, const EvaluationPoint& u);

}  // namespace invar
