#pragma once
#include <string>
#include <vector>

#include "apps/invar/spec/type.hpp"

namespace invar {

/// A component of the unknown, as the spec and reports call it.
struct ComponentSpec {
  std::string word, doc;   // the key, "u_x"; for the reference
  std::string unit = "1";  // SI
  int axis = -1;           // of a vector's component along one: 0 to 2
  /// What norms of errors are called; empty: the word. Those of the same name make up one norm.
  std::string norm = {};
  /// A pressure, which some formulations lack and others know up to a constant: only `output.errors` compares it with formulas.
  bool is_pressure = false;
  std::string advice = {};  // to whom names it in a case without it

  const std::string& norm_name() const { return norm.empty() ? word : norm; }
};

/// As words that a key may have.
std::vector<spec::Type::Choice> choices_of(const std::vector<ComponentSpec>& components);

}  // namespace invar
