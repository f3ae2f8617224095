#pragma once
#include <array>
#include <limits>
#include <string>

namespace invar {

/// The place where two things that must stay apart are nearest to each other.
struct Approach {
  double gap = std::numeric_limits<double>::infinity();  // m; ≤ 0: they intersect; infinite: nothing is near enough to press
  std::array<double, 3> place{};                         // m
  std::string between = {};                              // what they are, see FormUse
};

}  // namespace invar
