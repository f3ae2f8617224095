#pragma once
#include <string>
#include <vector>

#include "apps/invar/problem/march_spec.hpp"

namespace invar {

/// What a quantity's `statistic` makes of its values y at the window's steps. Not a number where there is no
/// such thing: a frequency needs two crossings of the mean, a decay two maxima.
double time_statistic(const std::string& statistic, const std::vector<double>& times, const TimeWindow& window,
                      const std::vector<double>& y);

}  // namespace invar
