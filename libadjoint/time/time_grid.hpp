#pragma once
#include <vector>

namespace invar {

/// n equal steps from start to end, both among the times: [n + 1].
std::vector<double> uniform_times(double start, double end, int n);

/// How many steps of a length lead from start to end; `fits`: they do so up to round-off.
int step_count(double start, double end, double length, bool& fits);

/// The grid with the wanted times among its own: one within round-off of a time of the grid takes its place. Both
/// ascend, and the grid has at least two.
std::vector<double> with_times(std::vector<double> grid, const std::vector<double>& wanted);

}  // namespace invar
