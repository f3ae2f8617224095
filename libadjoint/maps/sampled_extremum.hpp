#pragma once
#include <vector>

namespace invar {

/// Extremum of equally spaced values, at the vertex of the parabola through three neighbours; and its gradient.
double spaced_extremum(const std::vector<double>& y, bool greatest);
std::vector<double> spaced_extremum_gradient(const std::vector<double>& y, bool greatest);
/// Position of the extremum in units of the spacing: 0 at the first value, 1 at the second, …
double spaced_extremum_place(const std::vector<double>& y, bool greatest);
std::vector<double> spaced_extremum_place_gradient(const std::vector<double>& y, bool greatest);

}  // namespace invar
