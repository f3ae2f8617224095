#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

// What the headers of the libraries declare, for tests that hold the tables of this room against it.

namespace invar::gradient_test {

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// First groups of all matches.
inline std::set<std::string> matches(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), expression), end; i != end; ++i) found.insert((*i)[1]);
  return found;
}

/// Texts of all headers of a folder, joined.
inline std::string headers_of(const char* folder) {
  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(INVAR_SOURCE_DIR) + "/" + folder))
    if (entry.path().extension() == ".hpp") all += text_of(entry.path());
  return all;
}

inline constexpr const char* form_factory = R"(std::unique_ptr<WeakForm>\s+(make_\w+)\()";

/// The words of an enumeration in a header.
inline std::set<std::string> enumerators(const char* header, const std::string& name) {
  const std::string text = text_of(std::string(INVAR_SOURCE_DIR) + "/" + header);
  const std::size_t begin = text.find("enum class " + name + " {");
  EXPECT_NE(begin, std::string::npos) << header;
  const std::size_t open = text.find('{', begin);
  return matches(text.substr(open, text.find('}', open) - open), R"((\w+))");
}

inline bool contains_all(const std::set<std::string>& all, const std::set<std::string>& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

}  // namespace invar::gradient_test
