#pragma once
#include <string>

namespace invar {

/// Text of several lines as one, with semicolons in place of line ends.
inline std::string in_one_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  for (std::size_t at; (at = text.find('\n')) != std::string::npos;) text.replace(at, 1, "; ");
  return text;
}

}  // namespace invar
