#include "apps/invar/report/checksum.hpp"

#include <zlib.h>

#include <cstdio>
#include <fstream>

namespace invar {
namespace {

std::string hexadecimal(unsigned long sum) {
  char text[16];
  std::snprintf(text, sizeof text, "%08lx", sum);
  return text;
}

unsigned long continued(unsigned long sum, const char* bytes, std::size_t count) {
  return crc32(sum, reinterpret_cast<const Bytef*>(bytes), static_cast<uInt>(count));
}

}  // namespace

std::string checksum(const std::string& bytes) { return hexadecimal(continued(crc32(0, nullptr, 0), bytes.data(), bytes.size())); }

std::optional<FileSum> sum_of(const std::filesystem::path& file) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  FileSum out;
  unsigned long sum = crc32(0, nullptr, 0);
  char block[1 << 16];
  while (in.read(block, sizeof block) || in.gcount() > 0) {
    sum = continued(sum, block, static_cast<std::size_t>(in.gcount()));
    out.bytes += static_cast<unsigned long long>(in.gcount());
  }
  if (in.bad()) return std::nullopt;
  out.crc32 = hexadecimal(sum);
  return out;
}

}  // namespace invar
