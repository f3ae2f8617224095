#pragma once
#include <algorithm>
#include <span>

#include "libadjoint/reduced_functional.hpp"

namespace invar {

/// Largest violation of the constraints by values c, in units of their scale; 0 if all hold.
inline double worst_violation(std::span<const ConstraintInfo> constraints, std::span<const double> c) {
  double worst = 0;
  for (std::size_t k = 0; k < c.size(); ++k)
    worst = std::max({worst, (constraints[k].lower - c[k]) / constraints[k].scale, (c[k] - constraints[k].upper) / constraints[k].scale});
  return worst;
}

}  // namespace invar
