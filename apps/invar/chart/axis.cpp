#include "apps/invar/chart/axis.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace invar {
namespace {

/// 1, 2 or 5 times a power of ten, not below x > 0.
double round_step(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= x * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

}  // namespace

bool Axis::shows(double value) const { return std::isfinite(value) && (!log || value > 0); }

double Axis::place(double value) const {
  if (log) return (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
  return (value - low) / (high - low);
}

Axis Axis::of(const std::vector<double>& values, bool log, int wanted) {
  Axis axis;
  axis.log = log;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double v : values)
    if (axis.shows(v)) low = std::min(low, v), high = std::max(high, v);
  if (!(low <= high)) low = log ? 0.1 : 0, high = 1;
  if (log && high / low >= 10) {
    const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9)), last = static_cast<int>(std::ceil(std::log10(high) - 1e-9));
    const int step = std::max(1, (last - first + wanted - 1) / wanted);
    for (int e = first; e < last + step; e += step) axis.ticks.push_back(std::pow(10.0, e));
    axis.low = axis.ticks.front();
    axis.high = axis.ticks.back();
    return axis;
  }
  constexpr double rounding = 1e-9;  // relative difference of values that counts as none
  if (high - low <= rounding * std::max(std::abs(low), std::abs(high))) {
    const double margin = low == 0 && high == 0 ? 1 : std::abs(low) * (log ? 0.1 : 0.5);
    low -= margin;
    high += margin;
  }
  const double step = round_step((high - low) / wanted);
  const double first = log ? std::ceil(low / step - 1e-9) : std::floor(low / step + 1e-9);
  const double last = log ? std::floor(high / step + 1e-9) : std::ceil(high / step - 1e-9);
  for (double k = first; k <= last; ++k) axis.ticks.push_back(k * step == 0 ? 0 : k * step);
  axis.low = log ? low : axis.ticks.front();
  axis.high = log ? high : axis.ticks.back();
  return axis;
}

std::string tick_text(double value) {
  char text[40];
  const double size = std::abs(value);
  if (size != 0 && (size < 1e-3 || size >= 1e5)) {
    std::snprintf(text, sizeof text, "%.3g", value);
    // 1e-06 reads 1e-6
    std::string s = text;
    if (const std::size_t e = s.find('e'); e != std::string::npos) {
      std::string exponent = s.substr(e + 1);
      const bool negative = exponent[0] == '-';
      exponent.erase(0, exponent.find_first_not_of("+-0"));
      s = s.substr(0, e + 1) + (negative ? "-" : "") + exponent;
    }
    return s;
  }
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

}  // namespace invar
