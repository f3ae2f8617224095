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
  /// Continues after the first `size` bytes of a file with the same columns; the rest is removed. Throws IoError for another file.
  CsvWriter(const std::filesystem::path& file, const std::vector<std::string>& columns, long long size);
  /// As many values as columns.
  void row(std::span<const double> values);
  void row(std::initializer_list<double> values) { row(std::span(values.begin(), values.size())); }
  /// Bytes written so far, header included.
  long long size() const { return size_; }
  /// Returns when all rows are on the disk.
  void sync() { file_.sync(); }

 private:
  FileDescriptor file_;
  std::size_t columns_;
  long long size_ = 0;
};

/// A whole table as CSV text: `data` holds the columns, all of one length.
std::string csv_text(const std::vector<std::string>& columns,
                     const std::vector<std::vector<double>>& data);

}  // namespace invar
