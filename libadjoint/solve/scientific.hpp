#pragma once
#include <cstdio>
#include <string>

namespace invar {

/// A number for messages, e.g. 1.2e-07.
inline std::string scientific(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", value);
  return text;
}

/// A number for messages of up to `digits` significant digits, e.g. 0.25 or 1.2e-07.
inline std::string short_number(double value, int digits = 3) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

/// With up to six digits.
inline std::string plain_number(double value) { return short_number(value, 6); }

}  // namespace invar
