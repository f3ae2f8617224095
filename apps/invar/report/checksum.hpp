#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace invar {

/// CRC-32 as gzip and zlib compute it, eight hexadecimal digits.
std::string checksum(const std::string& bytes);

struct FileSum {
  unsigned long long bytes = 0;
  std::string crc32;
};
/// Of a whole file; nothing where it cannot be read.
std::optional<FileSum> sum_of(const std::filesystem::path& file);

}  // namespace invar
