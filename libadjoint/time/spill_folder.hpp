#pragma once
#include <filesystem>

namespace invar {

/// A folder with a unique name, also on a disk shared by several machines. The destructor removes it; its files must
/// have been removed before.
class SpillFolder {
 public:
  /// Throws StorageError, for example if `parent` does not exist.
  explicit SpillFolder(const std::filesystem::path& parent);
  ~SpillFolder();
  SpillFolder(const SpillFolder&) = delete;
  SpillFolder& operator=(const SpillFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace invar
