#include "libfem/design/boundary/shape_values.hpp"

#include <algorithm>

namespace invar {

ShapeValues ShapeValues::defaults(const std::vector<ShapeParameter>& parameters) {
  ShapeValues values;
  for (const ShapeParameter& p : parameters)
    if (p.default_value) values.set(std::string(p.key), *p.default_value);
  return values;
}

std::array<bool, 3> ShapeValues::axes(std::string_view key) const {
  std::array<bool, 3> on{};
  for (const double axis : numbers(key)) on.at(static_cast<std::size_t>(axis)) = true;
  return on;
}

std::array<double, 3> ShapeValues::vector(std::string_view key, double fill) const {
  const std::vector<double>& given = numbers(key);
  std::array<double, 3> a{fill, fill, fill};
  std::copy_n(given.begin(), std::min<std::size_t>(3, given.size()), a.begin());
  return a;
}

}  // namespace invar
