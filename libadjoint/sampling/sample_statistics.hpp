#pragma once
#include <vector>

namespace invar {

/// Statistics of a sample of one number.
struct SampleStatistics {
  int count = 0;
  double mean = 0;
  double standard_deviation = 0;  // with n − 1; NaN for a single value
  double q05 = 0, median = 0, q95 = 0;
};

/// At least one value. Quantiles are interpolated linearly between order statistics (Hyndman and Fan 1996, type 7).
SampleStatistics statistics_of(std::vector<double> values);

/// Indices of the rows that no other row dominates (minimisation: nowhere larger and somewhere smaller). Rows with NaN
/// are left out. All rows have the same length.
std::vector<int> pareto_set(const std::vector<std::vector<double>>& rows);

}  // namespace invar
