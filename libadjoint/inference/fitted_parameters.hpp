#pragma once
#include <vector>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/inference/uncertainty.hpp"

namespace invar {

/// The design variables that are numbers, at the result θ of a fit. A variable within round-off of a bound counts as at
/// the bound.
std::vector<FittedParameter> fitted_parameters(const CaseFunctional& functional, const DesignVector& theta);

}  // namespace invar
