#pragma once
#include <string>

#include "libadjoint/case_functional.hpp"

namespace invar {

/// How many design variables there are: numbers, and entries of fields, densities and free nodes, over all ranks.
struct DesignSize {
  long long numbers = 0, entries = 0;
  long long total() const { return numbers + entries; }
  /// "3 design variables", "1,026 design variables (2 numbers, 1,024 entries of fields)"
  std::string text() const;
};

/// Collective.
DesignSize design_size(const CaseFunctional& functional);

}  // namespace invar
