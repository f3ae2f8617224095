#pragma once
#include <cstddef>
#include <filesystem>
#include <span>

namespace invar {

/// Bytes in a temporary file, which the destructor removes.
class SpillFile {
 public:
  /// Throws StorageError, and leaves no file, if `path` exists already or cannot be written.
  SpillFile(std::filesystem::path path, std::span<const std::byte> content);
  SpillFile(SpillFile&& other) noexcept;
  SpillFile& operator=(SpillFile&&) = delete;
  ~SpillFile();

  /// Reads all bytes; content must have the written size. Throws StorageError.
  void read(std::span<std::byte> content) const;

 private:
  std::filesystem::path path_;  // empty after a move
};

}  // namespace invar
