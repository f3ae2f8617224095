#pragma once
#include <vector>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/inference/uncertainty.hpp"

namespace invar {

/// The numbers of a design as a fit left them. One within round-off of a bound is held by it.
std::vector<FittedParameter> fitted_parameters(const CaseFunctional& functional, const DesignVector& theta);

}  // namespace invar
