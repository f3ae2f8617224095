#pragma once
#include <vector>

namespace invar {

/// Of a sample of one number.
struct SampleStatistics {
  int count = 0;
  double mean = 0;
  double standard_deviation = 0;  // from n − 1; not-a-number of a single value
  double q05 = 0, median = 0, q95 = 0;
};

/// Quantiles between neighbouring values are interpolated linearly (Hyndman and Fan 1996, type 7). At least one value.
SampleStatistics statistics_of(std::vector<double> values);

/// Which rows no other row beats: is nowhere greater and somewhere less. Rows with not-a-number are left out. `rows`
/// have one length.
std::vector<int> pareto_set(const std::vector<std::vector<double>>& rows);

}  // namespace invar
