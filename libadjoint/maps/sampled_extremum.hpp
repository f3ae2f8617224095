#pragma once
#include <vector>

namespace invar {

/// The extremum of equally spaced values, between them by the parabola through the nearest three; and its derivative by
/// each value.
double spaced_extremum(const std::vector<double>& y, bool greatest);
std::vector<double> spaced_extremum_gradient(const std::vector<double>& y, bool greatest);
/// Where it lies: 0 at the first value, 1 at the second, …
double spaced_extremum_place(const std::vector<double>& y, bool greatest);
std::vector<double> spaced_extremum_place_gradient(const std::vector<double>& y, bool greatest);

}  // namespace invar
