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

/// A number for messages with up to six digits, e.g. 0.25.
inline std::string plain_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

}  // namespace invar
