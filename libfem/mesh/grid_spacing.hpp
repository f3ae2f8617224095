#pragma once
#include <vector>

namespace invar {

/// cells + 1 points from `from` to `to`, both included, ascending. first, last: lengths of the first and the last cell; 0: free.
/// None given: equal cells. One: lengths in geometric progression. Both: the stretching of M. Vinokur, J. Comput. Phys. 50 (1983),
/// which meets them to second order in 1/cells. Throws std::invalid_argument where that is impossible.
std::vector<double> grid_points(double from, double to, int cells, double first = 0, double last = 0);

}  // namespace invar
