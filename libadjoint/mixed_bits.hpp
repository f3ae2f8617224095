#pragma once
#include <cstdint>

namespace invar {

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): a bijection whose values pass for independent random bits, also of neighbouring numbers.
inline std::uint64_t mixed_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace invar
