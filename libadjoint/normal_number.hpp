#pragma once
#include <cmath>
#include <numbers>

#include "libadjoint/uniform_number.hpp"

namespace invar {

/// A standard normal number, by Box and Muller: the library's distributions differ from one to another.
inline double normal_number(std::mt19937_64& random) {
  const double radius = std::sqrt(-2 * std::log1p(-uniform_number(random)));
  return radius * std::cos(2 * std::numbers::pi * uniform_number(random));
}

}  // namespace invar
