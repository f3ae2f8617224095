#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/invar/spec/diagnostics.hpp"

namespace invar {

/// Measured data read from a text file: columns of finite numbers, each with its place.
struct CsvTable {
  std::vector<std::string> columns;                    // "1", "2", … without a header line
  std::vector<std::vector<double>> data;               // [column][row]
  std::vector<std::vector<SourcePosition>> positions;  // [column][row]
  SourcePosition file;

  std::size_t row_count() const { return data.empty() ? 0 : data[0].size(); }
  /// A column by name; an unknown name is a mistake, recorded at `asked_at` (in the spec).
  std::optional<std::size_t> find(const std::string& name, const SourcePosition& asked_at,
                                  const std::string& path, Diagnostics&) const;
};

/// Reads comma-, semicolon- or blank-separated columns. '#' starts a comment; a first line without
/// any number names the columns. Text, empty cells, nan, inf and rows of unequal length are
/// mistakes; where values may be missing, empty cells and nan are NaN. Nothing is returned when there was any.
std::optional<CsvTable> parse_csv(std::string_view text, const std::string& name, Diagnostics&, bool may_be_missing = false);
/// The same from a file of at most 256 MB.
std::optional<CsvTable> read_csv(const std::filesystem::path& file, Diagnostics&, bool may_be_missing = false);

}  // namespace invar
