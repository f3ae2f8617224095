#pragma once
#include <string>

#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {

/// The quantities of a run of this spec.
inline nlohmann::json tie_quantities(const std::string& spec) {
  const Workplace here;
  return results_when_solved(here, spec)["quantities"];
}

}  // namespace invar::test
