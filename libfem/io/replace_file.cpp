#include "libfem/io/replace_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "libfem/io/vtk_error.hpp"

namespace invar {
namespace {

/// 0, or the errno of the failed call.
int write_and_sync(const std::string& file, std::string_view content) {
  const int handle = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (handle < 0) return errno;
  int error = 0;
  while (!content.empty() && error == 0) {
    const ssize_t n = ::write(handle, content.data(), content.size());
    if (n >= 0)
      content.remove_prefix(static_cast<std::size_t>(n));
    else if (errno != EINTR)
      error = errno;
  }
  if (error == 0 && ::fsync(handle) != 0 && errno != EINVAL && errno != ENOTSUP) error = errno;
  if (::close(handle) != 0 && error == 0) error = errno;
  return error;
}

void sync_folder(const std::filesystem::path& folder) {
  if (const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); handle >= 0) {
    ::fsync(handle);
    ::close(handle);
  }
}

}  // namespace

void replace_file(const std::filesystem::path& file, std::string_view content) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const std::string temporary =
      folder / ('.' + file.filename().string() + ".part" + std::to_string(::getpid()));
  int error = write_and_sync(temporary, content);
  if (error == 0 && std::rename(temporary.c_str(), file.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    throw VtkError("cannot write '" + file.string() + "': " + std::strerror(error));
  }
  sync_folder(folder);
}

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  return out;
}

}  // namespace invar
