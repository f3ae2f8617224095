#include "apps/invar/problem/input_files.hpp"

#include <algorithm>

#include "apps/invar/problem/build_start.hpp"

namespace invar {
namespace {

void add_files(const spec::Value& value, std::vector<std::filesystem::path>& files) {
  if (value.kind == spec::Value::Kind::path) {
    std::error_code none;
    const std::filesystem::path file = std::filesystem::is_directory(value.file(), none) ? value.file() / design_file : value.file();
    if (std::ranges::find(files, file) == files.end()) files.push_back(file);
  }
  for (const spec::Value& child : value) add_files(child, files);
}

}  // namespace

std::vector<std::filesystem::path> input_files(const spec::Value& spec) {
  std::vector<std::filesystem::path> files;
  add_files(spec, files);
  return files;
}

}  // namespace invar
