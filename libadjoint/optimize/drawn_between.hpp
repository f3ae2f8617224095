#pragma once
#include <cstdint>
#include <optional>
#include <random>

#include "libadjoint/uniform_number.hpp"

namespace invar {

/// A uniform random value between two bounds, from a seed and the number of the variable; the same on any number of ranks. Nothing if a
/// bound is infinite.
inline std::optional<double> drawn_between(double lower, double upper, std::uint64_t seed, std::uint64_t variable) {
  if (!(lower > -1e300 && upper < 1e300 && lower <= upper)) return std::nullopt;
  std::seed_seq sequence{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32), static_cast<std::uint32_t>(variable),
                         static_cast<std::uint32_t>(variable >> 32)};
  std::mt19937_64 random(sequence);
  return lower + (upper - lower) * uniform_number(random);
}

}  // namespace invar
