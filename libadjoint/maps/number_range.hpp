#pragma once
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "libadjoint/variable_transform.hpp"

namespace invar {

/// Admissible values of a number of a model.
struct NumberRange {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = false, upper_open = false;  // the bound itself is excluded

  bool contains(double value) const {
    return (lower_open ? value > lower : value >= lower) && (upper_open ? value < upper : value <= upper);
  }
  bool bounded() const { return std::isfinite(lower) || std::isfinite(upper); }
};

/// "a number > 0"
std::string described(const NumberRange& range);
/// "> 0", "between 0 and 1 (excluded)"; empty: no restriction.
std::string range_text(const NumberRange& range);

/// Distance of a design variable from an excluded bound, relative to that of its start.
inline constexpr double open_bound_margin = 1e-6;

/// Closed bounds of a design variable with the given start inside `range`. Optimisers project trial points onto bounds,
/// so an excluded bound is moved inwards by `open_bound_margin`. A logarithmic variable never reaches zero and needs no
/// bound there.
inline std::array<double, 2> closed_bounds(const NumberRange& range, double start, VariableTransform::Kind kind) {
  const auto inside = [&](double bound, bool open) {
    const bool never_attained = kind == VariableTransform::Kind::log && bound == 0;
    return open && std::isfinite(bound) && !never_attained ? bound + open_bound_margin * (start - bound) : bound;
  };
  return {inside(range.lower, range.lower_open), inside(range.upper, range.upper_open)};
}

}  // namespace invar
