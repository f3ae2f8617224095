#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "apps/invar/problem/problem.hpp"
#include "libadjoint/inference/noise_correlation.hpp"

namespace invar {

/// Where and when the data of each term of the fit were measured, term by term, for those with more than one value.
std::vector<MeasuredPlaces> measured_places(const Problem& problem);
/// By term: number of values, of independent ones that tell as much, and the correlation over space and time that was found, or why that cannot be told.
nlohmann::ordered_json noise_json(const std::vector<NoiseCorrelation>& terms);

}  // namespace invar
