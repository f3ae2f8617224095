#pragma once
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace invar {

/// A parameter of a library entry (a quantity, a load, a design …), as plain data. The keys of the spec, their
/// validation and their reference page are generated from it; the entry reads the values as EntryValues.
struct EntryParameter {
  enum class Kind {
    number, integer, flag, axis,  // one number; a flag is 0 or 1, an axis 0, 1 or 2
    numbers, integers, axes,      // lists of these
    number_or_numbers,            // one number for all, or a list
    number_or_formula,            // a number, or text with a formula in x, y, z
    word,                         // one of `words`
    text,
    variable,                     // path of a number in the spec
    constant,                     // the same, of a material constant
    cell_region,                  // name of a region of cells; empty: all cells
    case_name,
    group,                        // a group of the parameters `inner`, with keys "group.key"
    groups,                       // a list of groups
    // For quantities.
    point, direction,             // as many numbers as there are space dimensions
    component,                    // name of a component of the unknown
    facet_region, any_region,     // name of a region
    region_or_all,                // name of a region, or "all"
    body_region,                  // a region of cells, "all", or a closed region of facets
    // path of a material constant that is designed as a field, or of an initial field
    designed_field,
    // per component of the unknown except the pressure, under the component's name: a number or formula
    components,
    // For data.
    table_file,                   // a CSV file with named columns of numbers
  };
  struct Word {
    std::string_view word, doc;
  };
  static constexpr std::size_t any_size = std::numeric_limits<std::size_t>::max();

  std::string_view key;
  Kind kind = Kind::number;
  std::string_view unit{};  // SI, e.g. "m"; empty when dimensionless
  std::string_view doc{};   // one line
  /// Default; without one the parameter is required. For `groups` an empty list means one group of defaults.
  std::optional<std::vector<double>> default_value{};
  std::string_view default_text{};                          // for words and text
  bool may_be_left_out = false;                             // optional without a default: then absent
  double lower = -std::numeric_limits<double>::infinity();  // admissible range of each number
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = false, upper_open = false;              // true: the bound itself is excluded
  bool may_be_infinite = false;                             // for tables: empty cells and nan are missing values, stored as NaN
  std::size_t least = 1, most = any_size;                   // admissible length of a list
  std::vector<EntryParameter> inner{};                      // parameters of a group
  std::vector<Word> words{};
};

}  // namespace invar
