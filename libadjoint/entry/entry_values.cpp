#include "libadjoint/entry/entry_values.hpp"

#include <algorithm>

namespace invar {

EntryValues EntryValues::defaults(const std::vector<EntryParameter>& parameters) {
  EntryValues values;
  for (const EntryParameter& p : parameters) {
    if (p.kind == EntryParameter::Kind::groups && p.default_value) values.set_groups(std::string(p.key), {defaults(p.inner)});
    else if (p.default_value) values.set(std::string(p.key), *p.default_value);
    else if (!p.default_text.empty()) values.set_text(std::string(p.key), std::string(p.default_text));
  }
  return values;
}

std::array<bool, 3> EntryValues::axes(std::string_view key) const {
  std::array<bool, 3> on{};
  for (const double axis : numbers(key)) on.at(static_cast<std::size_t>(axis)) = true;
  return on;
}

std::array<double, 3> EntryValues::vector(std::string_view key, double fill) const {
  const std::vector<double>& given = numbers(key);
  std::array<double, 3> a{fill, fill, fill};
  std::copy_n(given.begin(), std::min<std::size_t>(3, given.size()), a.begin());
  return a;
}

}  // namespace invar
