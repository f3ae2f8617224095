#include "libadjoint/time_statistic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "libadjoint/maps/gradient_by_jets.hpp"

namespace invar {
namespace {

using std::log;
using std::sqrt;

constexpr std::array<std::string_view, 7> kind_names{"mean", "rms", "max", "min", "range", "frequency", "decay"};

/// Local extrema at vertices of parabolas through three neighbours: sign 1 maxima, −1 minima.
template <class T>
std::vector<T> extrema(const std::vector<double>& t, const std::vector<T>& y, double sign) {
  std::vector<T> out;
  for (std::size_t i = 1; i + 1 < y.size(); ++i) {
    if (!(sign * y[i] > sign * y[i - 1] && sign * y[i] >= sign * y[i + 1])) continue;
    const double a = t[i - 1] - t[i], b = t[i + 1] - t[i];
    const T fa = y[i - 1] - y[i], fb = y[i + 1] - y[i];
    const T bend = (fb / b - fa / a) / (b - a), slope = fa / a - bend * a;
    out.push_back(bend == T(0.0) ? y[i] : T(y[i] - slope * slope / (4.0 * bend)));
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

}  // namespace

TimeStatistic::Kind time_statistic_kind(std::string_view word) {
  const auto at = std::find(kind_names.begin(), kind_names.end(), word);
  if (at == kind_names.end()) throw std::invalid_argument("there is no statistic '" + std::string(word) + "'");
  return static_cast<TimeStatistic::Kind>(at - kind_names.begin());
}

TimeStatistic::TimeStatistic(Kind kind, std::vector<double> times, std::vector<double> weights)
    : kind_(kind), times_(std::move(times)), weights_(std::move(weights)) {
  if (times_.size() != weights_.size() || times_.empty()) throw std::invalid_argument("a statistic needs a weight for each of its times");
}

std::string TimeStatistic::missing() const {
  if (kind_ == Kind::frequency) return "there is no frequency: the signal crosses its mean upwards less than twice";
  if (kind_ == Kind::decay) return "there is no decay: the signal has fewer than two maxima and minima, or they change sign";
  return "the signal is not finite";
}

template <class T>
T TimeStatistic::of(const std::vector<T>& y) const {
  const T none(std::numeric_limits<double>::quiet_NaN());
  T mean(0.0), square(0.0);
  for (std::size_t i = 0; i < y.size(); ++i) mean += weights_[i] * y[i];
  for (std::size_t i = 0; i < y.size(); ++i) square += weights_[i] * ((y[i] - mean) * (y[i] - mean));
  switch (kind_) {
    case Kind::mean: return mean;
    case Kind::rms: return square == T(0.0) ? T(0.0) : T(sqrt(square));
    case Kind::max: return end_value(times_, y, 1);
    case Kind::min: return end_value(times_, y, -1);
    case Kind::range: return end_value(times_, y, 1) - end_value(times_, y, -1);
    case Kind::frequency: {
      std::vector<T> crossings;
      for (std::size_t i = 1; i < y.size(); ++i)
        if (y[i - 1] < mean && y[i] >= mean)
          crossings.push_back(times_[i - 1] + (times_[i] - times_[i - 1]) * (mean - y[i - 1]) / (y[i] - y[i - 1]));
      return crossings.size() < 2 ? none : T((crossings.size() - 1.0) / (crossings.back() - crossings.front()));
    }
    case Kind::decay: {
      const std::vector<T> peaks = extrema(times_, y, 1), valleys = extrema(times_, y, -1);
      const std::size_t n = std::min(peaks.size(), valleys.size());
      if (n < 2) return none;
      const T ratio = (peaks[0] - valleys[0]) / (peaks[n - 1] - valleys[n - 1]);
      if (!(ratio > T(0.0))) return none;
      return log(ratio) / ((n - 1.0) * 2 * std::numbers::pi);
    }
  }
  return none;
}

double TimeStatistic::value(const std::vector<double>& y) const { return of(y); }

std::vector<double> TimeStatistic::gradient(const std::vector<double>& y) const {
  return gradient_by_jets([this](const auto& x) { return of(x); }, y);
}

}  // namespace invar
