#include "apps/invar/batch/sweep_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "apps/invar/report/io_error.hpp"

namespace invar {
namespace {

constexpr const char* lock_name = "driver.lock";
constexpr int patience = 200;  // tenths of a second

}  // namespace

SweepLock::SweepLock(const std::filesystem::path& folder) {
  const std::string name = (folder / lock_name).string();
  file_ = ::open(name.c_str(), O_RDWR | O_CREAT, 0666);  // children inherit it, and hold the lock with it
  if (file_ < 0) throw IoError("cannot write '" + name + "': " + std::strerror(errno));
  for (int i = 0; ::flock(file_, LOCK_EX | LOCK_NB) != 0; ++i) {
    if (errno == EWOULDBLOCK && i < patience) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      continue;
    }
    const bool taken = errno == EWOULDBLOCK;
    const std::string why = std::strerror(errno);
    ::close(file_);
    throw IoError(taken ? "another 'invar sweep', or a run of it, is at work in '" + folder.string() + "'"
                        : "cannot lock '" + name + "': " + why);
  }
}

SweepLock::~SweepLock() { ::close(file_); }

bool SweepLock::held(const std::filesystem::path& folder) {
  const int file = ::open((folder / lock_name).string().c_str(), O_RDONLY);
  if (file < 0) return false;
  const bool held = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return held;
}

}  // namespace invar
