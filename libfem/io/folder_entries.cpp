#include "libfem/io/folder_entries.hpp"

#include <dirent.h>

#include <cerrno>
#include <memory>
#include <string_view>

namespace invar {

namespace fs = std::filesystem;

std::vector<fs::path> entries_of(const fs::path& folder, std::error_code& code) {
  constexpr auto close = [](DIR* stream) { ::closedir(stream); };
  code.clear();
  errno = 0;
  const std::unique_ptr<DIR, decltype(close)> stream(::opendir(folder.c_str()), close);
  std::vector<fs::path> found;
  while (const dirent* entry = stream ? ::readdir(stream.get()) : nullptr) {
    if (const std::string_view name = entry->d_name; name != "." && name != "..") found.push_back(folder / name);
    errno = 0;
  }
  code.assign(errno, std::generic_category());
  return found;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::error_code code;
  std::vector<fs::path> found = entries_of(folder, code);
  if (code && code != std::errc::no_such_file_or_directory) throw fs::filesystem_error("cannot read the folder", folder, code);
  return found;
}

std::vector<fs::path> entries_below(const fs::path& folder, std::error_code& code) {
  std::vector<fs::path> found = entries_of(folder, code);
  std::error_code within_code;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (fs::is_directory(fs::symlink_status(found[i], within_code))) {
      const std::vector<fs::path> within = entries_of(found[i], within_code);
      found.insert(found.end(), within.begin(), within.end());
    }
  return found;
}

}  // namespace invar
