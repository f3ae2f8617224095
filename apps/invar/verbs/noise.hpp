#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "apps/invar/problem/problem.hpp"
#include "libadjoint/inference/noise_correlation.hpp"

namespace invar {

/// Where and when the data of each term of the fit were measured, term by term, for those with more than one value.
std::vector<MeasuredPlaces> measured_places(const Problem& problem);
/// By term: number of values, effective number of independent values, and the correlation over space and time that was found, or why none can be estimated.
nlohmann::ordered_json noise_json(const std::vector<NoiseCorrelation>& terms);

}  // namespace invar
