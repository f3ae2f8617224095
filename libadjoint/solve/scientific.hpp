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

}  // namespace invar
