#pragma once
#include <cmath>
#include <numbers>

#include "libadjoint/uniform_number.hpp"

namespace invar {

/// A standard normal random number by the Box–Muller method. The distributions of the standard library differ between
/// implementations.
inline double normal_number(std::mt19937_64& random) {
  const double radius = std::sqrt(-2 * std::log1p(-uniform_number(random)));
  return radius * std::cos(2 * std::numbers::pi * uniform_number(random));
}

}  // namespace invar
