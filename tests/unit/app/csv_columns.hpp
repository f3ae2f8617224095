#pragma once
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace invar::test {

/// The columns of numbers of a table with a head, by name.
inline std::map<std::string, std::vector<double>> columns_of(const std::string& csv) {
  std::istringstream text(csv);
  std::string line, name;
  std::getline(text, line);
  std::vector<std::string> names;
  for (std::istringstream head(line); std::getline(head, name, ',');) names.push_back(name);
  std::map<std::string, std::vector<double>> columns;
  while (std::getline(text, line)) {
    std::istringstream row(line);
    for (const std::string& column : names) {
      std::getline(row, name, ',');
      columns[column].push_back(std::stod(name));
    }
  }
  return columns;
}

}  // namespace invar::test
