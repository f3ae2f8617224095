#pragma once
#include <array>
#include <limits>
#include <string>

namespace invar {

/// The place of smallest distance between two objects that must not intersect.
struct ClosestApproach {
  double gap = std::numeric_limits<double>::infinity();  // m; ≤ 0: they intersect; infinite: no contact pressure anywhere
  std::array<double, 3> place{};                         // m
  std::string between = {};                              // names of the two objects, see FormUse
};

}  // namespace invar
