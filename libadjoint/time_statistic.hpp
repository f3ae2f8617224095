#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace invar {

/// A statistic of a signal: one number computed from its values at given times, with averaging weights.
class TimeStatistic {
 public:
  enum class Kind { mean, rms, max, min, range, frequency, decay };
  /// times: of the values, ascending. weights: averaging weights; their sum is 1.
  TimeStatistic(Kind kind, std::vector<double> times, std::vector<double> weights);

  /// y: [times]. mean, rms (of the difference from the mean); max, min, range (extrema of parabolas through three
  /// values); frequency [1/unit of time] of upward crossings of the mean, located by linear interpolation; decay:
  /// logarithmic decrement of the extrema over 2π, the damping ratio of a lightly damped oscillation. NaN if the
  /// statistic does not exist (`missing`).
  double value(const std::vector<double>& y) const;
  /// ∂/∂y for the present extrema and crossings. Zero for the rms of a constant y.
  std::vector<double> gradient(const std::vector<double>& y) const;
  /// Why the value does not exist, as the end of a sentence.
  std::string missing() const;

 private:
  template <class T>
  T of(const std::vector<T>& y) const;

  Kind kind_;
  std::vector<double> times_, weights_;
};

/// "frequency" → Kind::frequency; throws std::invalid_argument for other names than those of `Kind`.
TimeStatistic::Kind time_statistic_kind(std::string_view word);

}  // namespace invar
