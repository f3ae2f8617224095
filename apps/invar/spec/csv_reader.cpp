#include "apps/invar/spec/csv_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "apps/invar/spec/did_you_mean.hpp"
#include "apps/invar/spec/shortened.hpp"
#include "apps/invar/spec/source_text.hpp"
#include "libadjoint/number_text.hpp"

namespace invar {
namespace {

constexpr std::size_t largest_file = 256 << 20, most_mistakes = 20;

struct Cell {
  std::string text;
  std::size_t byte = 0;  // where it starts in its line
};

std::string_view trimmed(std::string_view s) {
  const std::size_t begin = s.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return s.substr(begin, s.find_last_not_of(" \t") - begin + 1);
}

/// The first of `wanted` from `begin` on that is not between double quotes; the end when none is.
std::size_t find_outside_quotes(std::string_view line, std::string_view wanted, std::size_t begin) {
  bool quoted = false;
  for (std::size_t i = begin; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (!quoted && wanted.find(line[i]) != std::string_view::npos) return i;
  }
  return line.size();
}

char separator_of(std::string_view line) {
  for (std::string_view c : {";", ","})
    if (find_outside_quotes(line, c, 0) < line.size()) return c[0];
  return ' ';
}

/// Removes surrounding quotes; doubled quotes inside become one (RFC 4180).
std::string unquoted(std::string_view word) {
  if (word.size() < 2 || word.front() != '"' || word.back() != '"') return std::string(word);
  std::string out;
  for (std::size_t i = 1; i + 1 < word.size(); ++i) {
    out += word[i];
    if (word[i] == '"' && i + 2 < word.size() && word[i + 1] == '"') ++i;
  }
  return out;
}

std::vector<Cell> cells_of(std::string_view line, char separator) {
  std::vector<Cell> out;
  std::size_t begin = 0;
  if (separator == ' ') {
    while ((begin = line.find_first_not_of(" \t", begin)) != std::string_view::npos) {
      const std::size_t end = find_outside_quotes(line, " \t", begin);
      out.push_back({unquoted(line.substr(begin, end - begin)), begin});
      begin = end;
    }
    return out;
  }
  for (bool more = true; more;) {
    const std::size_t end = find_outside_quotes(line, std::string_view(&separator, 1), begin);
    const std::string_view raw = line.substr(begin, end - begin), word = trimmed(raw);
    const std::size_t lead = word.empty() ? 0 : static_cast<std::size_t>(word.data() - raw.data());
    out.push_back({unquoted(word), begin + lead});
    more = end < line.size();
    begin = end + 1;
  }
  return out;
}

/// The number that `text` is from its first to its last letter; "nan" and "inf" count as numbers.
std::optional<double> parsed_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || text.empty()) return {};
  if (code == std::errc::result_out_of_range) return std::nan("");
  return code == std::errc() ? std::optional(value) : std::nullopt;
}

class CsvReader {
 public:
  CsvReader(const spec::SourceText& source, Diagnostics& diagnostics, bool may_be_missing)
      : source_(source), diagnostics_(diagnostics), may_be_missing_(may_be_missing) {
    table_.file = source.whole();
  }

  std::optional<CsvTable> read() {
    for (line_ = 0; line_ < source_.line_count(); ++line_) read_line();
    if (mistakes_ > most_mistakes)
      diagnostics_.error(source_.whole(), "", std::to_string(mistakes_ - most_mistakes) +
                                                  " more mistakes in this file");
    if (table_.row_count() == 0 && mistakes_ == 0) {
      diagnostics_.error(source_.whole(), "", "no data: the file has no row of numbers");
      return {};
    }
    if (mistakes_ > 0) return {};
    return std::move(table_);
  }

 private:
  void error(std::size_t byte, const std::string& message, const std::string& allowed = {}) {
    if (++mistakes_ <= most_mistakes)
      diagnostics_.error(source_.at(line_, byte), "", message, allowed);
  }

  void read_line() {
    std::string_view line = source_.line(line_);
    line = line.substr(0, find_outside_quotes(line, "#", 0));
    if (trimmed(line).empty()) return;
    if (table_.columns.empty()) separator_ = separator_of(line);
    const std::vector<Cell> cells = cells_of(line, separator_);
    if (table_.columns.empty() && begin_table(cells)) return;
    if (cells.size() != table_.columns.size()) {
      error(0, "this row has " + std::to_string(cells.size()) + " columns, expected " +
                   std::to_string(table_.columns.size()));
      return;
    }
    for (std::size_t c = 0; c < cells.size(); ++c) read_cell(cells[c], c);
  }

  /// Names the columns; true when the line was a header.
  bool begin_table(const std::vector<Cell>& cells) {
    const bool header = std::none_of(cells.begin(), cells.end(), [](const Cell& cell) {
      return cell.text.empty() || parsed_number(cell.text);
    });
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string name = header ? cells[c].text : std::to_string(c + 1);
      const auto& known = table_.columns;
      if (std::find(known.begin(), known.end(), name) != known.end())
        error(cells[c].byte, "two columns are named '" + shortened(name) + "'");
      table_.columns.push_back(name);
    }
    table_.data.resize(cells.size());
    table_.positions.resize(cells.size());
    return header;
  }

  void read_cell(const Cell& cell, std::size_t column) {
    std::optional<double> value = parsed_number(cell.text);
    const bool is_nan = value && std::isnan(*value) && cell.text.find_first_of("0123456789") == std::string::npos;  // not 1e999
    if (may_be_missing_ && (cell.text.empty() || is_nan)) value = std::nan("");
    else if (!value || !std::isfinite(*value)) wrong_cell(cell, column, value.has_value(), is_nan);
    table_.data[column].push_back(value.value_or(0));
    table_.positions[column].push_back(source_.at(line_, cell.byte));
  }

  void wrong_cell(const Cell& cell, std::size_t column, bool number, bool is_nan) {
    const std::string where = " in column '" + shortened(table_.columns[column]) + "'", got = ", got '" + shortened(cell.text) + "'";
    const char* const left_out = "leave out rows without a value";
    if (cell.text.empty()) return error(cell.byte, "empty cell" + where, left_out);
    if (number) return error(cell.byte, "a number must be finite" + where + got, is_nan ? left_out : "");
    error(cell.byte, "expected a number" + where + got, cell.text.find(',') != std::string::npos ? "write decimals with a point" : "");
  }

  const spec::SourceText& source_;
  Diagnostics& diagnostics_;
  bool may_be_missing_;
  CsvTable table_;
  char separator_ = ' ';
  std::size_t line_ = 0, mistakes_ = 0;
};

}  // namespace

std::optional<std::size_t> CsvTable::find(const std::string& name, const SourcePosition& asked_at,
                                          const std::string& path,
                                          Diagnostics& diagnostics) const {
  const auto at = std::find(columns.begin(), columns.end(), name);
  if (at != columns.end()) return static_cast<std::size_t>(at - columns.begin());
  diagnostics.error(asked_at, path, "no column '" + name + "' in " + file.text() +
                                        did_you_mean(name, columns),
                    "allowed: " + comma_list(columns));
  return {};
}

std::optional<CsvTable> parse_csv(std::string_view text, const std::string& name,
                                  Diagnostics& diagnostics, bool may_be_missing) {
  const std::size_t before = diagnostics.size();
  const spec::SourceText source(text, name);
  source.check_characters(diagnostics);
  if (diagnostics.size() != before) return {};
  return CsvReader(source, diagnostics, may_be_missing).read();
}

std::optional<CsvTable> read_csv(const std::filesystem::path& file, Diagnostics& diagnostics, bool may_be_missing) {
  const std::optional<std::string> text =
      spec::read_text_file(file.string(), "data file", largest_file, diagnostics);
  if (!text) return {};
  return parse_csv(*text, file.string(), diagnostics, may_be_missing);
}

}  // namespace invar
