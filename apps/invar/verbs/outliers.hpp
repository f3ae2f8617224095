#pragma once
#include <nlohmann/json.hpp>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/report/console.hpp"
#include "libadjoint/inference/uncertainty.hpp"

namespace invar {

/// Values that are too far from the fit: by term their number and those farthest off with their row in the file, from 1. Where the noise is known, the
/// limit is four standard deviations; else the difference is that from the fit to the other values (deleted residual), and the limit is that of
/// `outlier_limit`. Null where no value is too far. At the state that was solved last. uncertainty: of the fit; null: there is none.
nlohmann::ordered_json outliers_json(const Problem& problem, const Uncertainty* uncertainty);
/// A warning for each term that has some.
void say_outliers(const nlohmann::ordered_json& outliers, Console& console);

}  // namespace invar
