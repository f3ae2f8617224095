#pragma once
#include <array>
#include <cstdio>
#include <string>

namespace invar {

/// A point [m] for reports, with four digits: "(1, 0.5)". dim: 2 or 3.
inline std::string place_in_words(const std::array<double, 3>& x, int dim) {
  char place[96];
  if (dim == 3) std::snprintf(place, sizeof place, "(%.4g, %.4g, %.4g)", x[0], x[1], x[2]);
  else std::snprintf(place, sizeof place, "(%.4g, %.4g)", x[0], x[1]);
  return place;
}

}  // namespace invar
