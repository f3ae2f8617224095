#include "libfem/io/folder_entries.hpp"

#include <dirent.h>

#include <memory>
#include <string_view>
#include <system_error>

namespace invar {

namespace fs = std::filesystem;

std::vector<fs::path> entries_of(const fs::path& folder) {
  constexpr auto close = [](DIR* stream) { ::closedir(stream); };
  const std::unique_ptr<DIR, decltype(close)> stream(::opendir(folder.c_str()), close);
  std::vector<fs::path> found;
  while (const dirent* entry = stream ? ::readdir(stream.get()) : nullptr)
    if (const std::string_view name = entry->d_name; name != "." && name != "..") found.push_back(folder / name);
  return found;
}

std::vector<fs::path> entries_below(const fs::path& folder) {
  std::vector<fs::path> found = entries_of(folder);
  std::error_code code;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (fs::is_directory(fs::symlink_status(found[i], code))) {
      const std::vector<fs::path> within = entries_of(found[i]);
      found.insert(found.end(), within.begin(), within.end());
    }
  return found;
}

}  // namespace invar
