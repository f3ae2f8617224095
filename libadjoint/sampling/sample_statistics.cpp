#include "libadjoint/sampling/sample_statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace invar {
namespace {

double sorted_quantile(const std::vector<double>& sorted, double share) {
  const double at = share * (static_cast<double>(sorted.size()) - 1);
  const std::size_t low = static_cast<std::size_t>(at), high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

bool beats(const std::vector<double>& a, const std::vector<double>& b) {
  bool less = false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] > b[k]) return false;
    less |= a[k] < b[k];
  }
  return less;
}

}  // namespace

SampleStatistics statistics_of(std::vector<double> values) {
  assert(!values.empty());
  std::sort(values.begin(), values.end());
  SampleStatistics out;
  out.count = static_cast<int>(values.size());
  for (const double v : values) out.mean += v / out.count;
  double squares = 0;
  for (const double v : values) squares += (v - out.mean) * (v - out.mean);
  out.standard_deviation = std::sqrt(squares / (out.count - 1));
  out.q05 = sorted_quantile(values, 0.05);
  out.median = sorted_quantile(values, 0.5);
  out.q95 = sorted_quantile(values, 0.95);
  return out;
}

std::vector<int> pareto_set(const std::vector<std::vector<double>>& rows) {
  const auto complete = [](const std::vector<double>& row) {
    return std::none_of(row.begin(), row.end(), [](double v) { return std::isnan(v); });
  };
  std::vector<int> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!complete(rows[i])) continue;
    if (std::none_of(rows.begin(), rows.end(), [&](const auto& other) { return complete(other) && beats(other, rows[i]); }))
      out.push_back(static_cast<int>(i));
  }
  return out;
}

}  // namespace invar
