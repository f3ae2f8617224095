#pragma once
#include <filesystem>

namespace invar {

/// A folder of a name that nobody else has, on any machine that sees the disk; removed with the
/// object, when its files are gone.
class SpillFolder {
 public:
  /// Throws StorageError, e.g. where `parent` does not exist.
  explicit SpillFolder(const std::filesystem::path& parent);
  ~SpillFolder();
  SpillFolder(const SpillFolder&) = delete;
  SpillFolder& operator=(const SpillFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace invar
