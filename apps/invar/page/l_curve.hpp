#pragma once
#include <nlohmann/json.hpp>

#include "apps/invar/chart/l_curve_chart.hpp"

namespace invar {

/// The successful trials of the object `weight` of results.json. Throws nlohmann::json::exception if it is damaged.
LCurve l_curve_in(const nlohmann::ordered_json& weight);

}  // namespace invar
