#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "apps/invar/report/file_descriptor.hpp"

namespace invar {

/// A CSV file that grows by rows, as history.csv does: each row is written at once and whole.
/// Numbers read back as the same doubles; not-a-number is written "nan". Throws IoError.
class CsvWriter {
 public:
  CsvWriter(const std::filesystem::path& file, const std::vector<std::string>& columns);
  /// As many values as columns.
  void row(std::span<const double> values);
  void row(std::initializer_list<double> values) { row(std::span(values.begin(), values.size())); }

 private:
  FileDescriptor file_;
  std::size_t columns_;
};

/// A whole table as CSV text: `data` holds the columns, all of one length.
std::string csv_text(const std::vector<std::string>& columns,
                     const std::vector<std::vector<double>>& data);

}  // namespace invar
