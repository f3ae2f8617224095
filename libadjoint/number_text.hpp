#pragma once
#include <charconv>
#include <cmath>
#include <string>

namespace invar {

/// The shortest decimal text that reads back as the same double; infinities as YAML writes them.
inline std::string number_text(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value > 0 ? ".inf" : "-.inf";
  char digits[32];
  const auto [end, code] = std::to_chars(digits, digits + sizeof digits, value);
  return std::string(digits, end);
}

}  // namespace invar
