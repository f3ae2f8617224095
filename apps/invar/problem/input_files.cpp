#include "apps/invar/problem/input_files.hpp"

#include <algorithm>

#include "apps/invar/problem/build_start.hpp"
#include "apps/invar/problem/saved_state.hpp"

namespace invar {
namespace {

void add_files(const spec::Value& value, std::vector<std::filesystem::path>& files) {
  if (value.kind == spec::Value::Kind::path) {
    std::error_code none;
    const bool folder = std::filesystem::is_directory(value.file(), none), begins = value.yaml_path.ends_with(std::string("initial.") + initial_from);
    const auto add = [&](const std::filesystem::path& file) {
      if (std::ranges::find(files, file) == files.end()) files.push_back(file);
    };
    for (const std::filesystem::path& file : !folder ? std::vector{value.file()} : begins ? state_files(value.file()) : std::vector{value.file() / design_file}) {
      add(file);
      for (const StatePart part : state_parts)
        if (begins && std::filesystem::exists(state_part(file, part), none)) add(state_part(file, part));
    }
  }
  for (const spec::Value& child : value) add_files(child, files);
}

}  // namespace

std::vector<std::filesystem::path> input_files(const spec::Value& spec) {
  std::vector<std::filesystem::path> files;
  add_files(spec, files);
  return files;
}

void require_existing_files(const spec::Value& spec, Diagnostics& diagnostics) {
  std::error_code none;
  if (spec.kind == spec::Value::Kind::path && !std::filesystem::exists(spec.file(), none))
    diagnostics.error(spec.position, spec.yaml_path, "there is no '" + spec.file().string() + "'");
  for (const spec::Value& child : spec) require_existing_files(child, diagnostics);
}

}  // namespace invar
