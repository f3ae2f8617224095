#include "apps/invar/report/checkpoint_folder.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "apps/invar/report/atomic_file.hpp"
#include "apps/invar/report/io_error.hpp"
#include "libfem/io/folder_entries.hpp"

namespace invar {
namespace {

namespace fs = std::filesystem;

constexpr const char* suffix = ".checkpoint";
constexpr std::size_t kept = 2;

/// "invar checkpoint 1 CRC SIZE\n": what a file begins with.
std::string head_of(std::string_view content) {
  char text[80];
  std::snprintf(text, sizeof text, "invar checkpoint 1 %08lx %zu\n",
                crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()), content.size());
  return text;
}

std::optional<std::string> checked(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string whole;
  whole.assign(std::istreambuf_iterator<char>(in), {});
  const std::optional<std::string_view> content = checked_content(whole);
  if (!content) return {};
  whole.erase(0, whole.size() - content->size());
  return whole;
}

/// 0 for a file that is no state.
long number_of(const fs::path& file) {
  constexpr std::size_t most_digits = 15;
  const std::string stem = file.stem().string();
  return file.extension() == suffix && stem.size() <= most_digits ? std::strtol(stem.c_str(), nullptr, 10) : 0;
}

}  // namespace

std::optional<std::string_view> checked_content(std::string_view whole) {
  const std::size_t line = whole.find('\n');
  if (line == std::string_view::npos) return {};
  const std::string_view content = whole.substr(line + 1);
  if (whole.substr(0, line + 1) != head_of(content)) return {};
  return content;
}

/// In the order in which they were written.
std::vector<fs::path> CheckpointFolder::files() const {
  std::vector<fs::path> found;
  std::error_code code;
  for (const fs::path& file : entries_of(folder_, code))
    if (number_of(file) > 0 && fs::is_regular_file(file, code)) found.push_back(file);
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) { return number_of(a) < number_of(b); });
  return found;
}

void CheckpointFolder::write(std::string_view content) {
  std::error_code code;
  fs::create_directories(folder_, code);
  if (code) throw IoError("cannot make '" + folder_.string() + "': " + code.message());
  std::vector<fs::path> before = files();
  char name[32];
  std::snprintf(name, sizeof name, "%06ld", before.empty() ? 1 : number_of(before.back()) + 1);
  write_atomically(folder_ / (std::string(name) + suffix), head_of(content).append(content));
  for (const fs::path& file : entries_of(folder_, code))
    if (file.filename().string().find(std::string(suffix) + ".part") != std::string::npos) fs::remove(file, code);
  std::size_t whole = 1;
  for (std::size_t i = before.size(); i-- > 0;)
    if (whole == kept || !checked(before[i])) fs::remove(before[i], code);
    else ++whole;
}

std::optional<std::string> CheckpointFolder::newest(std::vector<std::string>& damaged) const {
  const std::vector<fs::path> all = files();
  for (std::size_t i = all.size(); i-- > 0;) {
    if (std::optional<std::string> content = checked(all[i])) return content;
    damaged.push_back(all[i].string());
  }
  return {};
}

}  // namespace invar
