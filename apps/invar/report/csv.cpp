#include "apps/invar/report/csv.hpp"

#include <cassert>
#include <fstream>

#include "libadjoint/number_text.hpp"

namespace invar {
namespace {

std::string value_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return number_text(value);
}

/// Quoted where the name would break the table (RFC 4180) or begin a comment.
std::string header_cell(const std::string& name) {
  if (name.find_first_of(",;#\" \t\n\r") == std::string::npos) return name;
  std::string out = "\"";
  for (char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string header(const std::vector<std::string>& columns) {
  std::string out;
  for (std::size_t i = 0; i < columns.size(); ++i) out += (i ? "," : "") + header_cell(columns[i]);
  return out + '\n';
}

}  // namespace

CsvWriter::CsvWriter(const std::filesystem::path& file, const std::vector<std::string>& columns)
    : file_(file, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND), columns_(columns.size()) {
  const std::string head = header(columns);
  file_.write(head);
  size_ = static_cast<long long>(head.size());
}

CsvWriter::CsvWriter(const std::filesystem::path& file, const std::vector<std::string>& columns, long long size)
    : columns_(columns.size()), size_(size) {
  const std::string head = header(columns);
  std::string first(head.size(), '\0');
  std::ifstream(file, std::ios::binary).read(first.data(), static_cast<std::streamsize>(first.size()));
  std::error_code code;
  const std::uintmax_t present = std::filesystem::file_size(file, code);
  if (code || first != head || size < static_cast<long long>(head.size()) ||
      present < static_cast<std::uintmax_t>(size))
    throw IoError("'" + file.string() + "' is not the table of this run: rows are missing, or it has other columns");
  std::filesystem::resize_file(file, static_cast<std::uintmax_t>(size), code);
  if (code) throw IoError("cannot shorten '" + file.string() + "': " + code.message());
  file_ = FileDescriptor(file, O_WRONLY | O_APPEND);
}

void CsvWriter::row(std::span<const double> values) {
  assert(values.size() == columns_);
  std::string line;
  for (std::size_t i = 0; i < values.size(); ++i) line += (i ? "," : "") + value_text(values[i]);
  line += '\n';
  file_.write(line);
  size_ += static_cast<long long>(line.size());
}

std::string csv_text(const std::vector<std::string>& columns,
                     const std::vector<std::vector<double>>& data) {
  assert(columns.size() == data.size());
  std::string out = header(columns);
  for (std::size_t r = 0; !data.empty() && r < data[0].size(); ++r) {
    for (std::size_t c = 0; c < data.size(); ++c) {
      assert(data[c].size() == data[0].size());
      out += (c ? "," : "") + value_text(data[c][r]);
    }
    out += '\n';
  }
  return out;
}

}  // namespace invar
