#pragma once
#include <cstddef>
#include <filesystem>
#include <span>

namespace invar {

/// Bytes in a file that is removed with the object.
class SpillFile {
 public:
  /// Throws StorageError, and leaves no file, where `path` exists already or cannot be written.
  SpillFile(std::filesystem::path path, std::span<const std::byte> content);
  SpillFile(SpillFile&& other) noexcept;
  SpillFile& operator=(SpillFile&&) = delete;
  ~SpillFile();

  /// As many bytes as were written. Throws StorageError.
  void read(std::span<std::byte> content) const;

 private:
  std::filesystem::path path_;  // empty: moved from
};

}  // namespace invar
