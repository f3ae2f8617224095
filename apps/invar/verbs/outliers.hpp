#pragma once
#include <nlohmann/json.hpp>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/report/console.hpp"

namespace invar {

/// Values whose difference from the fit is more than four of their standard deviations: by term their number and those
/// farthest off with their row in the file, from 1. Null where deviations are not known or no value is. At the state that was
/// solved last.
nlohmann::ordered_json outliers_json(const Problem& problem);
/// A warning for each term that has some.
void say_outliers(const nlohmann::ordered_json& outliers, Console& console);

}  // namespace invar
