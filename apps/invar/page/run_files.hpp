#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace invar {

/// Reads the files of a run. Missing or damaged files are treated as empty: a report shows what is available.

/// The whole of a file.
std::string text_of(const std::filesystem::path& file);

/// An object; empty where the file has none.
nlohmann::ordered_json json_in(const std::filesystem::path& file);

/// A table of numbers by columns, as history.csv and curves/*.csv; cells without a number are not a number.
struct NumberTable {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> data;  // [column][row]
  std::string text;                       // of the file

  std::size_t rows() const { return data.empty() ? 0 : data[0].size(); }
  /// nullptr without such a column.
  const std::vector<double>* find(const std::string& column) const;
};
NumberTable numbers_in(const std::filesystem::path& file);

/// Files of a folder with this extension, by name.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder, const std::string& extension);

}  // namespace invar
