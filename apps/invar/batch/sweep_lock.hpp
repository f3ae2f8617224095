#pragma once
#include <filesystem>

namespace invar {

/// Keeps a second driver out of a sweep's folder while this one, or a run that it has started, lives.
class SweepLock {
 public:
  /// Waits some seconds for runs of an earlier driver that are about to end, then throws IoError.
  explicit SweepLock(const std::filesystem::path& folder);
  ~SweepLock();
  SweepLock(const SweepLock&) = delete;
  SweepLock& operator=(const SweepLock&) = delete;

  /// Whether somebody on a machine that shares the file's locks has it.
  static bool held(const std::filesystem::path& folder);

 private:
  int file_;
};

}  // namespace invar
