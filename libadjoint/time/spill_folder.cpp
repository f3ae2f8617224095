#include "libadjoint/time/spill_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "libadjoint/time/storage_error.hpp"

namespace invar {

SpillFolder::SpillFolder(const std::filesystem::path& parent) {
  std::string name = (parent / "trajectory-XXXXXX").string();
  if (!::mkdtemp(name.data()))
    throw StorageError("cannot make a folder in '" + parent.string() +
                       "': " + std::strerror(errno));
  path_ = name;
}

SpillFolder::~SpillFolder() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace invar
