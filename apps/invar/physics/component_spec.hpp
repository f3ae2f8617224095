#pragma once
#include <string>
#include <vector>

#include "apps/invar/spec/type.hpp"

namespace invar {

/// A component of the unknown with its names in spec and reports.
struct ComponentSpec {
  std::string word, doc;   // the key, "u_x"; for the reference
  std::string unit = "1";  // SI
  int axis = -1;           // of a vector's component along one: 0 to 2
  /// Name of the norm of errors; empty: the word. Components with the same name form one norm.
  std::string norm = {};
  /// A pressure. As it does not exist in some formulations and is determined up to a constant in others, only `output.errors`
  /// compares it with formulas.
  bool is_pressure = false;
  std::string advice = {};  // for users who name it in a case without it

  const std::string& norm_name() const { return norm.empty() ? word : norm; }
};

/// As words that a key may have.
std::vector<spec::Type::Choice> choices_of(const std::vector<ComponentSpec>& components);

}  // namespace invar
