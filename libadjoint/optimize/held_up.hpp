#pragma once
#include <string>

namespace invar {

/// Why a search ends where no step, however short, can be evaluated. No method knows the boundary of the designs that can be evaluated, only its
/// trials beyond it: it comes to rest on that boundary, wherever it meets it. rejection: why the last trial failed.
inline std::string held_up(const std::string& rejection) {
  return "every shorter step is rejected because its evaluation fails: " + rejection +
         ". This need not be a minimum: a bound or a constraint that keeps designs away from there would let the search go on along it";
}

}  // namespace invar
