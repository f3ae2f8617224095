#include "libadjoint/maps/number_range.hpp"

#include "libadjoint/number_text.hpp"

namespace invar {

std::string range_text(const NumberRange& range) {
  const bool below = std::isfinite(range.lower), above = std::isfinite(range.upper);
  const std::string low = number_text(range.lower), high = number_text(range.upper);
  if (below && above)
    return "between " + low + (range.lower_open ? " (excluded)" : "") + " and " + high + (range.upper_open ? " (excluded)" : "");
  if (below) return (range.lower_open ? "> " : ">= ") + low;
  if (above) return (range.upper_open ? "< " : "<= ") + high;
  return {};
}

std::string described(const NumberRange& range) {
  const std::string within = range_text(range);
  return within.empty() ? "a number" : "a number " + within;
}

}  // namespace invar
