#pragma once
#include <cstddef>
#include <string>

namespace invar {

/// The beginning of a text that is too long for a message; whole characters of UTF-8.
inline std::string shortened(const std::string& s) {
  constexpr std::size_t limit = 60;
  if (s.size() <= limit) return s;
  std::size_t end = limit;
  while (end > 0 && (static_cast<unsigned char>(s[end]) & 0xC0) == 0x80) --end;
  return s.substr(0, end) + "...";
}

}  // namespace invar
