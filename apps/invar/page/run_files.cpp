#include "apps/invar/page/run_files.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "libfem/io/folder_entries.hpp"

namespace invar {
namespace {

std::vector<std::string> cells_of_line(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line)
    if (c == ',') cells.emplace_back();
    else if (c != '\r') cells.back() += c;
  return cells;
}

double number_of_cell(const std::string& cell) {
  double value = 0;
  const auto [end, code] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return code == std::errc() && end == cell.data() + cell.size() ? value : std::nan("");
}

}  // namespace

std::string text_of(const std::filesystem::path& file) {
  std::error_code trouble;
  if (!std::filesystem::is_regular_file(file, trouble)) return {};
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

nlohmann::ordered_json json_in(const std::filesystem::path& file) {
  nlohmann::ordered_json j = nlohmann::ordered_json::parse(text_of(file), nullptr, false);
  return j.is_object() ? j : nlohmann::ordered_json::object();
}

const std::vector<double>* NumberTable::find(const std::string& column) const {
  const auto found = std::ranges::find(columns, column);
  return found == columns.end() ? nullptr : &data[static_cast<std::size_t>(found - columns.begin())];
}

NumberTable numbers_in(const std::filesystem::path& file) {
  NumberTable table;
  table.text = text_of(file);
  std::stringstream in(table.text);
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = cells_of_line(line);
    if (table.columns.empty()) {
      table.columns = cells;
      table.data.resize(cells.size());
      continue;
    }
    for (std::size_t k = 0; k < table.data.size(); ++k) table.data[k].push_back(k < cells.size() ? number_of_cell(cells[k]) : std::nan(""));
  }
  return table;
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder, const std::string& extension) {
  std::vector<std::filesystem::path> files;
  std::error_code trouble;
  for (const std::filesystem::path& file : entries_of(folder, trouble))
    if (file.extension() == extension) files.push_back(file);
  std::ranges::sort(files);
  return files;
}

}  // namespace invar
