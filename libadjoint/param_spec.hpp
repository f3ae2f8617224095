#pragma once
#include <limits>
#include <optional>
#include <string_view>

namespace invar {

/// One number that a model, a term or a load can be given: plain data beside the model. The same
/// table validates the spec, writes the JSON Schema and the reference page, and says what may be
/// a design variable.
struct ParamSpec {
  std::string_view key;                    // as written in the spec
  std::string_view unit;                   // SI, e.g. "Pa"; "1" when dimensionless
  std::string_view doc;                    // one line
  std::optional<double> default_value{};   // none: the user must give it
  double lower = -std::numeric_limits<double>::infinity();  // admissible range
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = false;                 // true: the bound itself is not admissible
  bool upper_open = false;
  bool may_be_field = true;                // may differ from cell to cell and be designed as a field
};

}  // namespace invar
