#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace invar {

/// A statistic of a signal: one number from its values at given times, with the weights of an average.
class TimeStatistic {
 public:
  enum class Kind { mean, rms, max, min, range, frequency, decay };
  /// times: ascending, of the values. weights: of the values in the mean; their sum is 1.
  TimeStatistic(Kind kind, std::vector<double> times, std::vector<double> weights);

  /// The mean; the root of the mean square of the difference from it; the extrema, between the times by the parabola
  /// through three values; the frequency [1/unit of time] of the upward crossings of the mean, each by linear
  /// interpolation; the logarithmic decrement of the extrema over 2π, which is the damping ratio of a lightly damped
  /// swing. Not a number where there is no such thing (`missing`). y: [times].
  double value(const std::vector<double>& y) const;
  /// ∂/∂y with the present choice of extrema and crossings. Zero for the r.m.s. of a constant y.
  std::vector<double> gradient(const std::vector<double>& y) const;
  /// Why the value does not exist, as the end of a sentence.
  std::string missing() const;

 private:
  template <class T>
  T of(const std::vector<T>& y) const;

  Kind kind_;
  std::vector<double> times_, weights_;
};

/// "frequency" → Kind::frequency; throws std::invalid_argument for other words than those of `Kind`.
TimeStatistic::Kind time_statistic_kind(std::string_view word);

}  // namespace invar
