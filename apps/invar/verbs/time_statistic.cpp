#include "apps/invar/verbs/time_statistic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace invar {
namespace {

/// Local extrema by the parabola through three neighbours: sign 1 maxima, −1 minima.
std::vector<double> extrema(const std::vector<double>& t, const std::vector<double>& y, double sign) {
  std::vector<double> out;
  for (std::size_t i = 1; i + 1 < y.size(); ++i) {
    if (!(sign * y[i] > sign * y[i - 1] && sign * y[i] >= sign * y[i + 1])) continue;
    const double a = t[i - 1] - t[i], b = t[i + 1] - t[i], fa = y[i - 1] - y[i], fb = y[i + 1] - y[i];
    const double bend = (fb / b - fa / a) / (b - a), slope = fa / a - bend * a;
    out.push_back(bend == 0 ? y[i] : y[i] - slope * slope / (4 * bend));
  }
  return out;
}

double end_value(const std::vector<double>& t, const std::vector<double>& y, double sign) {
  double best = sign * *std::max_element(y.begin(), y.end(), [&](double a, double b) { return sign * a < sign * b; }) * sign;
  for (const double e : extrema(t, y, sign)) best = sign * e > sign * best ? e : best;
  return best;
}

}  // namespace

double time_statistic(const std::string& statistic, const std::vector<double>& times, const TimeWindow& window,
                      const std::vector<double>& y) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> t;
  for (const int step : window.steps) t.push_back(times[step]);
  double mean = 0, square = 0;
  for (std::size_t i = 0; i < y.size(); ++i) mean += window.weights[i] * y[i];
  for (std::size_t i = 0; i < y.size(); ++i) square += window.weights[i] * (y[i] - mean) * (y[i] - mean);
  if (statistic == "mean") return mean;
  if (statistic == "rms") return std::sqrt(square);
  if (statistic == "max") return end_value(t, y, 1);
  if (statistic == "min") return end_value(t, y, -1);
  if (statistic == "range") return end_value(t, y, 1) - end_value(t, y, -1);
  if (statistic == "frequency") {
    std::vector<double> crossings;
    for (std::size_t i = 1; i < y.size(); ++i)
      if (y[i - 1] < mean && y[i] >= mean) crossings.push_back(t[i - 1] + (t[i] - t[i - 1]) * (mean - y[i - 1]) / (y[i] - y[i - 1]));
    return crossings.size() < 2 ? none : (crossings.size() - 1) / (crossings.back() - crossings.front());
  }
  const std::vector<double> peaks = extrema(t, y, 1), valleys = extrema(t, y, -1);
  const std::size_t n = std::min(peaks.size(), valleys.size());
  if (n < 2) return none;
  const double decrement = std::log((peaks[0] - valleys[0]) / (peaks[n - 1] - valleys[n - 1])) / (n - 1);
  return decrement / (2 * std::numbers::pi);
}

}  // namespace invar
