#include "libadjoint/time/spill_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>

#include "libadjoint/time/storage_error.hpp"

namespace invar {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

StorageError failure(const char* what, const std::filesystem::path& path, int error) {
  return StorageError(std::string("cannot ") + what + " '" + path.string() +
                      "': " + std::strerror(error));
}

}  // namespace

SpillFile::SpillFile(std::filesystem::path path, std::span<const std::byte> content)
    : path_(std::move(path)) {
  File file(std::fopen(path_.c_str(), "wbxe"));
  if (!file) throw failure("write", path_, errno);
  int error = 0;
  if (std::fwrite(content.data(), 1, content.size(), file.get()) != content.size()) error = errno;
  if (std::fclose(file.release()) != 0 && error == 0) error = errno;
  if (error == 0) return;
  std::remove(path_.c_str());
  throw failure("write", path_, error);
}

SpillFile::SpillFile(SpillFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}

SpillFile::~SpillFile() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove(path_, ignored);
}

void SpillFile::read(std::span<std::byte> content) const {
  const File file(std::fopen(path_.c_str(), "rbe"));
  if (!file) throw failure("read", path_, errno);
  if (std::fread(content.data(), 1, content.size(), file.get()) == content.size()) return;
  if (std::ferror(file.get())) throw failure("read", path_, errno);
  throw StorageError("cannot read '" + path_.string() + "': it is shorter than it was written");
}

}  // namespace invar
