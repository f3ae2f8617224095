#pragma once
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "libfem/design/boundary/shape_parameter.hpp"

namespace invar {

/// The values of a map's parameters by key, those of a group by "group.key". A key that is neither given nor has a
/// default is a programmer's mistake: std::out_of_range.
class ShapeValues {
 public:
  /// The defaults; a group is absent until it is given.
  static ShapeValues defaults(const std::vector<ShapeParameter>& parameters);

  void set(std::string key, std::vector<double> values) { values_[std::move(key)] = std::move(values); }
  bool has(std::string_view key) const { return values_.contains(std::string(key)); }

  const std::vector<double>& numbers(std::string_view key) const { return values_.at(std::string(key)); }
  double number(std::string_view key) const { return numbers(key).at(0); }
  int integer(std::string_view key) const { return static_cast<int>(number(key)); }
  bool flag(std::string_view key) const { return number(key) != 0; }
  /// Which of x, y, z a list of axes names.
  std::array<bool, 3> axes(std::string_view key) const;
  /// A point or direction; components that are not given are `fill`.
  std::array<double, 3> vector(std::string_view key, double fill = 0) const;

 private:
  std::map<std::string, std::vector<double>> values_;
};

}  // namespace invar
