#pragma once
#include <string>
#include <vector>

#include "apps/invar/problem/march_spec.hpp"

namespace invar {

/// What a quantity's `statistic` makes of its values y at the window's steps. Not a number where there is no
/// such thing: a frequency needs two crossings of the mean, a decay two maxima.
double time_statistic(const std::string& statistic, const std::vector<double>& times, const TimeWindow& window,
                      const std::vector<double>& y);
/// Its derivative by each of the values; which of them are extrema or next to a crossing is taken as it is.
std::vector<double> time_statistic_gradient(const std::string& statistic, const std::vector<double>& times,
                                            const TimeWindow& window, const std::vector<double>& y);

/// The extremum of equally spaced values, between them by the parabola through the nearest three.
double spaced_extremum(const std::vector<double>& y, bool greatest);
std::vector<double> spaced_extremum_gradient(const std::vector<double>& y, bool greatest);
/// Where it lies: 0 at the first value, 1 at the second, …
double spaced_extremum_place(const std::vector<double>& y, bool greatest);
std::vector<double> spaced_extremum_place_gradient(const std::vector<double>& y, bool greatest);

}  // namespace invar
