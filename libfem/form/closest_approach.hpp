#pragma once
#include <array>
#include <limits>
#include <string>

namespace invar {

/// The place of smallest distance between two objects that must not intersect.
struct ClosestApproach {
  double gap = std::numeric_limits<double>::infinity();  // m; < 0: they intersect, −∞: at unknown depth; ∞: no contact pressure anywhere
  double reach = 0;                                      // m; the gap below which they press on each other
  std::array<double, 3> place{};                         // m
  std::string between = {};                              // names of the two objects, see FormUse
};

}  // namespace invar
