#pragma once
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "libadjoint/entry/entry_parameter.hpp"
#include "libadjoint/entry/data_table.hpp"

namespace invar {

/// Values of an entry's parameters by key; "group.key" in a group. Asking for a key without value and default is a programming error:
/// std::out_of_range.
class EntryValues {
 public:
  /// The default values; groups are absent until they are given.
  static EntryValues defaults(const std::vector<EntryParameter>& parameters);

  void set(std::string key, std::vector<double> values) { values_[std::move(key)] = std::move(values); }
  void set_text(std::string key, std::string text) { texts_[std::move(key)] = std::move(text); }
  void set_groups(std::string key, std::vector<EntryValues> groups) { groups_[std::move(key)] = std::move(groups); }
  void set_table(std::string key, DataTable table) { tables_[std::move(key)] = std::move(table); }
  bool has(std::string_view key) const { return has_number(key) || texts_.contains(std::string(key)) || groups_.contains(std::string(key)); }
  /// For parameters that may be a number or text: whether a number is given.
  bool has_number(std::string_view key) const { return values_.contains(std::string(key)); }

  const std::vector<double>& numbers(std::string_view key) const { return values_.at(std::string(key)); }
  double number(std::string_view key) const { return numbers(key).at(0); }
  double number_or(std::string_view key, double otherwise) const { return has_number(key) ? number(key) : otherwise; }
  int integer(std::string_view key) const { return static_cast<int>(number(key)); }
  bool flag(std::string_view key) const { return number(key) != 0; }
  const std::string& text(std::string_view key) const { return texts_.at(std::string(key)); }
  const std::vector<EntryValues>& groups(std::string_view key) const { return groups_.at(std::string(key)); }
  bool has_table(std::string_view key) const { return tables_.contains(std::string(key)); }
  const DataTable& table(std::string_view key) const { return tables_.at(std::string(key)); }
  /// Flags of x, y, z: whether a list of axes contains the axis.
  std::array<bool, 3> axes(std::string_view key) const;
  /// A point or direction; missing components are `fill`.
  std::array<double, 3> vector(std::string_view key, double fill = 0) const;

 private:
  std::map<std::string, std::vector<double>> values_;
  std::map<std::string, std::string> texts_;
  std::map<std::string, std::vector<EntryValues>> groups_;
  std::map<std::string, DataTable> tables_;
};

}  // namespace invar
