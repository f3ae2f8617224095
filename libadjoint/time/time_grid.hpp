#pragma once
#include <vector>

namespace invar {

/// n equal steps from start to end, both included: [n + 1].
std::vector<double> uniform_times(double start, double end, int n);

/// Number of steps of the given length from start to end; `fits`: whether they fit up to a relative error of 1e-6.
int step_count(double start, double end, double length, bool& fits);

/// The grid with the wanted times added: a wanted time within round-off of a grid point replaces it. Both are
/// ascending, and the grid has at least two points.
std::vector<double> with_times(std::vector<double> grid, const std::vector<double>& wanted);

/// The times of several processes, ascending, each once: times within 1e-9 of the mean spacing are the same.
std::vector<double> merged_times(std::vector<double> times);

/// All times with further ones between, which divide every step into `parts` equal ones: [(times − 1) · parts + 1]. The given times stay as they are.
std::vector<double> divided_times(const std::vector<double>& times, int parts);

}  // namespace invar
