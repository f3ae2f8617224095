#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "apps/invar/report/io_error.hpp"
#include "apps/invar/spec/did_you_mean.hpp"
#include "apps/invar/spec/usage_error.hpp"
#include "apps/invar/verbs/starters.hpp"
#include "apps/invar/verbs/verbs.hpp"

namespace invar {
namespace {

std::string stem_of(const StarterFile& file) { return std::filesystem::path(file.name).stem().string(); }

std::vector<StarterFile> files_of(const std::string& name) {
  std::vector<StarterFile> files;
  for (const StarterFile& f : starter_files())
    if (stem_of(f) == name) files.push_back(f);
  return files;
}

/// Nothing that exists is touched, and all or nothing is written.
void require_absent(const std::filesystem::path& folder, const std::vector<StarterFile>& files) {
  for (const StarterFile& f : files)
    if (const std::filesystem::path file = folder / f.name; std::filesystem::exists(std::filesystem::symlink_status(file)))
      throw UsageError('\'' + file.string() + "' exists and is not overwritten; choose another folder with --out DIR");
}

void write(const std::filesystem::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary);
  out << text << std::flush;
  if (!out) throw IoError('\'' + file.string() + "' cannot be written");
}

void list() {
  std::size_t width = 0;
  for (const std::string& name : starter_names()) width = std::max(width, name.size());
  for (const std::string& name : starter_names())
    std::cout << "  " << name << std::string(width + 2 - name.size(), ' ') << starter_summary(name) << '\n';
}

}  // namespace

std::vector<std::string> starter_names() {
  std::vector<std::string> names;
  for (const StarterFile& f : starter_files())
    if (f.name.ends_with(".yaml")) names.push_back(stem_of(f));
  return names;
}

std::string starter_summary(std::string_view name) {
  for (const StarterFile& f : starter_files())
    if (f.name == std::string(name) + ".yaml") return std::string(f.text.substr(2, f.text.find('\n') - 2));
  return {};
}

ExitCode init(const CommandLine& line) {
  if (line.list || line.word.empty()) {
    std::cout << "starter specs, each for 'invar init NAME':\n";
    list();
    return ExitCode::ok;
  }
  const std::vector<StarterFile> files = files_of(line.word);
  if (files.empty())
    throw UsageError("there is no starter '" + line.word + '\'' + did_you_mean(line.word, starter_names()) +
                     "\nstarters: " + comma_list(starter_names()));
  const std::filesystem::path folder = line.out.value_or(line.word);
  require_absent(folder, files);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw IoError("folder '" + folder.string() + "' cannot be made: " + failed.message());
  for (const StarterFile& f : files) {
    write(folder / f.name, f.text);
    std::cout << "wrote " << (folder / f.name).string() << '\n';
  }
  const std::string spec = (folder / (line.word + ".yaml")).string();
  std::cout << "next:  invar show " << spec << "\n       invar run " << spec << '\n';
  return ExitCode::ok;
}

}  // namespace invar
