#include "libadjoint/time/time_window.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

namespace invar {
namespace {

double shape_at(WindowShape shape, double s) {
  constexpr double end = 1e-9;  // beyond it the bump is zero in double precision
  const double hann = 0.5 * (1 - std::cos(2 * std::numbers::pi * s));
  switch (shape) {
    case WindowShape::hann: return hann;
    case WindowShape::hann_squared: return hann * hann;
    case WindowShape::bump: return s > end && s < 1 - end ? std::exp(-1 / (s * (1 - s))) : 0.0;
    default: return 1;
  }
}

}  // namespace

WindowShape window_shape(std::string_view word) {
  if (word == "square") return WindowShape::square;
  if (word == "hann") return WindowShape::hann;
  if (word == "hann_squared") return WindowShape::hann_squared;
  if (word == "bump") return WindowShape::bump;
  throw std::invalid_argument("there is no window '" + std::string(word) + "'");
}

TimeWindow time_window(const std::vector<double>& times, double begin, double end, WindowShape shape) {
  const auto [least, greatest] = std::ranges::minmax(times);
  const double slack = 1e-9 * (greatest - least);
  TimeWindow window;
  for (std::size_t k = 0; k < times.size(); ++k)
    if (times[k] >= begin - slack && times[k] <= end + slack) window.steps.push_back(static_cast<int>(k));
  if (window.steps.size() < 2 || end <= begin) return {};
  double sum = 0;
  for (std::size_t i = 0; i < window.steps.size(); ++i) {
    const double t = times[window.steps[i]];
    const double left = i > 0 ? std::abs(t - times[window.steps[i - 1]]) : 0,
                 right = i + 1 < window.steps.size() ? std::abs(times[window.steps[i + 1]] - t) : 0;
    window.weights.push_back(0.5 * (left + right) * shape_at(shape, (t - begin) / (end - begin)));
    sum += window.weights.back();
  }
  if (!(sum > 0)) window.weights.clear();
  for (double& w : window.weights) w /= sum;
  return window;
}

}  // namespace invar
