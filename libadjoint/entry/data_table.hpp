#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace invar {

/// Columns of numbers, as read from a data file.
struct DataTable {
  std::vector<std::string> names;            // of the columns
  std::vector<std::vector<double>> columns;  // [column][row], all of the same length

  int row_count() const { return columns.empty() ? 0 : static_cast<int>(columns[0].size()); }
  /// The column with this name; null: not found.
  const std::vector<double>* find(std::string_view name) const {
    const auto at = std::ranges::find(names, name);
    return at == names.end() ? nullptr : &columns[at - names.begin()];
  }
};

}  // namespace invar
