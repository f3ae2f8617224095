#pragma once
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "libadjoint/variable_transform.hpp"

namespace invar {

/// The values that a model admits for one of its numbers.
struct NumberRange {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = false, upper_open = false;  // the bound itself is not admissible

  bool contains(double value) const {
    return (lower_open ? value > lower : value >= lower) && (upper_open ? value < upper : value <= upper);
  }
  bool bounded() const { return std::isfinite(lower) || std::isfinite(upper); }
};

/// "a number > 0"
std::string described(const NumberRange& range);
/// "> 0", "between 0 and 1 (excluded)"; empty: all numbers.
std::string range_text(const NumberRange& range);

/// How near a design variable may come to a bound that the model does not admit, relative to the distance of its start.
inline constexpr double open_bound_margin = 1e-6;

/// Bounds that may be attained, for a design variable that begins at `start`, inside `range`: optimisers project trial
/// points onto their bounds, so that an open bound is replaced by one at `open_bound_margin` from it. A logarithmic
/// variable needs no such bound at zero, which it never attains.
inline std::array<double, 2> closed_bounds(const NumberRange& range, double start, VariableTransform::Kind kind) {
  const auto inside = [&](double bound, bool open) {
    const bool never_attained = kind == VariableTransform::Kind::log && bound == 0;
    return open && std::isfinite(bound) && !never_attained ? bound + open_bound_margin * (start - bound) : bound;
  };
  return {inside(range.lower, range.lower_open), inside(range.upper, range.upper_open)};
}

}  // namespace invar
