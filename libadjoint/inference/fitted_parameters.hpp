#pragma once
#include <array>
#include <set>
#include <vector>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/inference/uncertainty.hpp"

namespace invar {

/// The design variables that are numbers, at the result θ of a fit. A variable within round-off of a bound counts as at
/// the bound.
std::vector<FittedParameter> fitted_parameters(const CaseFunctional& functional, const DesignVector& theta);

/// Options with the weight and the count of each residual of the functional. mean_squares: position of the case and of its data set for sets
/// whose residuals are those of a mean square over a region: each counts as one value, whatever the number of quadrature points.
UncertaintyOptions uncertainty_options(const CaseFunctional& functional, bool known_noise, const std::set<std::array<int, 2>>& mean_squares);

}  // namespace invar
