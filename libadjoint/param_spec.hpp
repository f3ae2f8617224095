#pragma once
#include <limits>
#include <optional>
#include <string_view>

namespace invar {

/// Description of one number that a model, a term or a load takes, as plain data. The same table serves to validate the
/// spec, to write the JSON Schema and the reference page, and to say what may be a design variable.
struct ParamSpec {
  std::string_view key;                    // as written in the spec
  std::string_view unit;                   // SI, e.g. "Pa"; "1" when dimensionless
  std::string_view doc;                    // one line
  std::optional<double> default_value{};   // none: the user must give it
  double lower = -std::numeric_limits<double>::infinity();  // admissible range
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = false;                 // true: the bound itself is excluded
  bool upper_open = false;
  bool may_be_field = true;                // may differ from cell to cell and be designed as a field
};

}  // namespace invar
