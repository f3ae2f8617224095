#include "apps/invar/verbs/time_statistic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "libfem/math/dual.hpp"

namespace invar {
namespace {

using std::log;
using std::sqrt;

/// Local extrema by the parabola through three neighbours: sign 1 maxima, −1 minima.
template <class T>
std::vector<T> extrema(const std::vector<double>& t, const std::vector<T>& y, double sign) {
  std::vector<T> out;
  for (std::size_t i = 1; i + 1 < y.size(); ++i) {
    if (!(sign * y[i] > sign * y[i - 1] && sign * y[i] >= sign * y[i + 1])) continue;
    const double a = t[i - 1] - t[i], b = t[i + 1] - t[i];
    const T fa = y[i - 1] - y[i], fb = y[i + 1] - y[i];
    const T bend = (fb / b - fa / a) / (b - a), slope = fa / a - bend * a;
    out.push_back(bend == 0 ? y[i] : T(y[i] - slope * slope / (4 * bend)));
  }
  return out;
}

template <class T>
T end_value(const std::vector<double>& t, const std::vector<T>& y, double sign) {
  T best = *std::max_element(y.begin(), y.end(), [&](const T& a, const T& b) { return sign * a < sign * b; });
  for (const T& e : extrema(t, y, sign))
    if (sign * e > sign * best) best = e;
  return best;
}

template <class T>
T statistic_of(const std::string& statistic, const std::vector<double>& times, const TimeWindow& window,
               const std::vector<T>& y) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> t;
  for (const int step : window.steps) t.push_back(times[step]);
  T mean(0.0), square(0.0);
  for (std::size_t i = 0; i < y.size(); ++i) mean += window.weights[i] * y[i];
  for (std::size_t i = 0; i < y.size(); ++i) square += window.weights[i] * ((y[i] - mean) * (y[i] - mean));
  if (statistic == "mean") return mean;
  if (statistic == "rms") return sqrt(square);
  if (statistic == "max") return end_value(t, y, 1);
  if (statistic == "min") return end_value(t, y, -1);
  if (statistic == "range") return end_value(t, y, 1) - end_value(t, y, -1);
  if (statistic == "frequency") {
    std::vector<T> crossings;
    for (std::size_t i = 1; i < y.size(); ++i)
      if (y[i - 1] < mean && y[i] >= mean)
        crossings.push_back(t[i - 1] + (t[i] - t[i - 1]) * (mean - y[i - 1]) / (y[i] - y[i - 1]));
    return crossings.size() < 2 ? T(none) : T((crossings.size() - 1.0) / (crossings.back() - crossings.front()));
  }
  const std::vector<T> peaks = extrema(t, y, 1), valleys = extrema(t, y, -1);
  const std::size_t n = std::min(peaks.size(), valleys.size());
  if (n < 2) return T(none);
  const T decrement = log((peaks[0] - valleys[0]) / (peaks[n - 1] - valleys[n - 1])) / (n - 1.0);
  return decrement / (2 * std::numbers::pi);
}

template <class T>
T extremum_of(const std::vector<T>& y, bool greatest) {
  const auto at = greatest ? std::max_element(y.begin(), y.end()) : std::min_element(y.begin(), y.end());
  if (at == y.begin() || at + 1 == y.end()) return *at;
  const T before = *(at - 1), after = *(at + 1), bend = before - 2 * *at + after;
  return bend == 0 ? *at : T(*at - (after - before) * (after - before) / (8 * bend));
}

template <class T>
T place_of_extremum(const std::vector<T>& y, bool greatest) {
  const auto at = greatest ? std::max_element(y.begin(), y.end()) : std::min_element(y.begin(), y.end());
  const double index = static_cast<double>(at - y.begin());
  if (at == y.begin() || at + 1 == y.end()) return T(index);
  const T before = *(at - 1), after = *(at + 1), bend = before - 2 * *at + after;
  return bend == 0 ? T(index) : T(index - (after - before) / (2 * bend));
}

/// The derivative of f(y) by each entry, some at a time.
template <class F>
std::vector<double> gradient_of(F&& f, const std::vector<double>& y) {
  constexpr int at_once = 8;
  std::vector<double> gradient(y.size());
  std::vector<Dual<double, at_once>> x(y.begin(), y.end());
  for (std::size_t first = 0; first < y.size(); first += at_once) {
    const std::size_t last = std::min(first + at_once, y.size());
    for (std::size_t i = first; i < last; ++i) x[i].grad[i - first] = 1;
    const Dual<double, at_once> value = f(x);
    for (std::size_t i = first; i < last; ++i) {
      gradient[i] = value.grad[i - first];
      x[i].grad[i - first] = 0;
    }
  }
  return gradient;
}

}  // namespace

double time_statistic(const std::string& statistic, const std::vector<double>& times, const TimeWindow& window,
                      const std::vector<double>& y) {
  return statistic_of(statistic, times, window, y);
}

std::vector<double> time_statistic_gradient(const std::string& statistic, const std::vector<double>& times,
                                            const TimeWindow& window, const std::vector<double>& y) {
  return gradient_of([&](const auto& x) { return statistic_of(statistic, times, window, x); }, y);
}

double spaced_extremum(const std::vector<double>& y, bool greatest) { return extremum_of(y, greatest); }

std::vector<double> spaced_extremum_gradient(const std::vector<double>& y, bool greatest) {
  return gradient_of([&](const auto& x) { return extremum_of(x, greatest); }, y);
}

double spaced_extremum_place(const std::vector<double>& y, bool greatest) { return place_of_extremum(y, greatest); }

std::vector<double> spaced_extremum_place_gradient(const std::vector<double>& y, bool greatest) {
  return gradient_of([&](const auto& x) { return place_of_extremum(x, greatest); }, y);
}

}  // namespace invar
