#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "apps/invar/spec/value.hpp"
#include "libadjoint/constraint/tie_elimination.hpp"
#include "libfem/mechanism/mechanism.hpp"
#include "libfem/mechanism/rest_numbers.hpp"

namespace invar {

/// Parts of the sections `ties`, `rigid`, `joints` and `tendons` of a case, before they are assembled.
struct MechanismParts {
  std::shared_ptr<Mechanism> mechanism = nullptr;
  std::shared_ptr<RestNumbers> rest = nullptr;           // on which constraints and the mechanism depend
  PetscInt first = 0;                          // global number of its first unknown
  std::map<std::string, int> numbers = {};          // its unknowns by the names that reports give them
  std::vector<LinearConstraint> constraints = {};
  std::vector<const spec::Value*> sources = {};     // of the constraints
  std::vector<bool> yields = {};                    // by source: tied unknowns that are prescribed are ignored

  /// Attributes the following constraints to this record; returns its number.
  int begin(const spec::Value& source, bool yields_to_what_is_held = false) {
    sources.push_back(&source);
    yields.push_back(yields_to_what_is_held);
    return static_cast<int>(sources.size()) - 1;
  }
};

}  // namespace invar
