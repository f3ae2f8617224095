#include "apps/invar/spec/csv_reader.hpp"

#include <cmath>
#include <stdexcept>

#include "tests/fuzz/readers.hpp"

namespace invar::fuzz {

bool read_csv(std::string_view bytes) {
  Diagnostics diagnostics;
  const std::optional<CsvTable> table = parse_csv(bytes, "data.csv", diagnostics);
  if (table.has_value() != diagnostics.empty()) throw std::logic_error("a table with mistakes, or none without");
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
  return true;
}

}  // namespace invar::fuzz
