#include "apps/invar/spec/csv_reader.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/fuzz/readers.hpp"
#include "tests/fuzz/scratch_file.hpp"

namespace invar::fuzz {
namespace {

/// A file reads as its bytes do.
void read_as_file(std::string_view bytes, const std::optional<CsvTable>& table) {
  static const ScratchFolder folder;
  Diagnostics diagnostics;
  const std::optional<CsvTable> same = read_csv(folder.write("data.csv", bytes), diagnostics);
  if (same.has_value() != table.has_value() || (same && (same->columns != table->columns || same->data != table->data)))
    throw std::logic_error("a file reads otherwise than its bytes");
}

/// Columns are found by their names, and only these.
void look_up(const CsvTable& table) {
  Diagnostics diagnostics;
  for (const std::string& name : table.columns)
    if (const auto at = table.find(name, {}, "", diagnostics); !at || table.columns[*at] != name) throw std::logic_error("a column is not found");
  const std::string unheard = table.columns.empty() ? "x" : table.columns.front() + "\x01";
  if (std::ranges::find(table.columns, unheard) == table.columns.end() && (table.find(unheard, {}, "", diagnostics) || diagnostics.empty()))
    throw std::logic_error("a column that is not there is found");
}

}  // namespace

bool read_csv(std::string_view bytes) {
  Diagnostics diagnostics;
  const std::optional<CsvTable> table = parse_csv(bytes, "data.csv", diagnostics);
  if (table.has_value() != diagnostics.empty()) throw std::logic_error("a table with mistakes, or none without");
  read_as_file(bytes, table);
  if (!table) {
    for (const Diagnostic& d : diagnostics.sorted())
      if (!d.text().starts_with("data.csv:")) throw std::logic_error("a mistake without its place");
    return false;
  }
  for (const std::vector<double>& column : table->data) {
    if (column.size() != table->row_count()) throw std::logic_error("columns of different lengths");
    for (const double x : column)
      if (!std::isfinite(x)) throw std::logic_error("a number that is none");
  }
  look_up(*table);
  return true;
}

}  // namespace invar::fuzz
