#pragma once
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace invar {

/// What an entry of a library is given, as plain data beside what it makes. The keys of the spec, their validation and
/// their reference follow from it, and the entry reads them as EntryValues.
struct EntryParameter {
  enum class Kind {
    number, integer, flag, axis,  // one number; a flag is 0 or 1, an axis 0 to 2
    numbers, integers, axes,      // lists of them
    number_or_numbers,            // one for all, or a list
    number_or_formula,            // a formula in x, y, z is text
    word,                         // one of `words`
    text,
    variable,                     // path of a number of the spec
    constant,                     // likewise, of a material
    cell_region,                  // name of one; empty: all cells
    case_name,
    group,                        // of `inner`: their keys are "group.key"
    groups,                       // a list of groups
    // Of quantities.
    point, direction,             // as many numbers as space has dimensions
    component,                    // of the unknown, by its name
    facet_region, any_region,     // name of one
    region_or_all,                // name of one, or "all"
    body_region,                  // of cells, "all", or of facets that enclose something
    // path of a constant of a material that is designed as a field, or of an initial field
    designed_field,
    // of the unknown but the pressure: of each that is given, under its name, a number or formula
    components,
    // Of data.
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
  /// Without a default it must be given. Of `groups` an empty list means one group of defaults.
  std::optional<std::vector<double>> default_value{};
  std::string_view default_text{};                          // of words and text
  bool may_be_left_out = false;                             // it is absent then
  double lower = -std::numeric_limits<double>::infinity();  // of each number
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = false, upper_open = false;              // true: the bound itself is not admissible
  bool may_be_infinite = false;                             // of a table: empty cells and nan are missing values, NaN
  std::size_t least = 1, most = any_size;                   // entries of a list
  std::vector<EntryParameter> inner{};                      // of a group
  std::vector<Word> words{};
};

}  // namespace invar
