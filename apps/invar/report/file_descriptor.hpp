#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "apps/invar/report/io_error.hpp"

namespace invar {

/// Owns an open POSIX file.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  /// Throws IoError.
  FileDescriptor(const std::filesystem::path& file, int flags) : file_(file.string()) {
    handle_ = ::open(file_.c_str(), flags | O_CLOEXEC, 0644);
    if (handle_ < 0) fail("open");
  }
  FileDescriptor(FileDescriptor&& other) noexcept
      : file_(std::move(other.file_)), handle_(std::exchange(other.handle_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~FileDescriptor() {
    if (handle_ >= 0) ::close(handle_);
  }

  /// Writes everything or throws IoError.
  void write(std::string_view content) {
    while (!content.empty()) {
      const ssize_t n = ::write(handle_, content.data(), content.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail("write");
      content.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  void sync() {
    if (::fsync(handle_) != 0 && errno != EINVAL && errno != ENOTSUP) fail("sync");
  }
  void close() {
    if (::close(std::exchange(handle_, -1)) != 0) fail("close");
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw IoError(std::string("cannot ") + what + " '" + file_ + "': " + std::strerror(errno));
  }

  std::string file_;
  int handle_ = -1;
};

}  // namespace invar
