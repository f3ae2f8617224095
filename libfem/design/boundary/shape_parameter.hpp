#pragma once
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace invar {

/// What a map of a boundary is given, as plain data beside the map. The keys of the spec, their validation and their
/// reference follow from it.
struct ShapeParameter {
  enum class Kind { number, integer, flag, axis, numbers, integers, axes, group };
  static constexpr std::size_t any_size = std::numeric_limits<std::size_t>::max();

  std::string_view key;
  Kind kind = Kind::number;
  std::string_view unit{};  // SI, e.g. "m"; empty when dimensionless
  std::string_view doc{};   // one line
  /// As ShapeValues holds them: a flag is 0 or 1, an axis 0 to 2. Without a default it must be given.
  std::optional<std::vector<double>> default_value{};
  bool may_be_left_out = false;                             // it is absent then
  double lower = -std::numeric_limits<double>::infinity();  // of each number
  bool lower_open = false;                                  // true: the bound itself is not admissible
  std::size_t least = 1, most = any_size;                   // entries of a list
  std::vector<ShapeParameter> inner{};                      // of a group
};

}  // namespace invar
