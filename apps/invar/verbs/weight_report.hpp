#pragma once
#include <nlohmann/json.hpp>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/report/console.hpp"
#include "apps/invar/report/run_folder.hpp"

namespace invar {

// What is said of a weight that was found (`Problem::weight`).

/// The object `weight` of results.json; null where no weight was looked for.
nlohmann::ordered_json weight_json(const Problem& problem);
/// The weights tried as a table, the one chosen, and what other rules would have chosen; nothing for null. weight: as of `weight_json`.
void say_weight(const nlohmann::ordered_json& weight, Console& console);
/// l_curve.csv and l_curve.svg, from two tried weights on.
void write_l_curve(const nlohmann::ordered_json& weight, const RunFolder& folder);

}  // namespace invar
