#pragma once
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>

#include "apps/invar/report/lock_holder.hpp"

namespace invar {

/// Keeps a second process out of a folder while this one works there, on any machine that shares the folder.
///
/// The lock is the file lock.N.json with the greatest N. It is created atomically by link(2), also on NFS, and only if no other
/// process creates the same file. A thread renews its time every `beat` seconds; it calls nothing of MPI. One whose process is
/// known to be dead, or that was not renewed for three beats, is stale: the next process makes lock.N+1.json, so that of several
/// only one takes over. Ages are differences of times of the folder's file system, so that clocks of machines may differ. A process
/// that finds itself taken over, because it was stopped for long, must stop.
class RunLock {
 public:
  static constexpr double usual_beat = 10;  // seconds

  /// Throws BusyError, which names the process that is there, IoError where the folder cannot be written. `on_loss` is
  /// called once, by the thread, when another process has taken over.
  explicit RunLock(const std::filesystem::path& folder, std::function<void()> on_loss = {}, double beat = usual_beat);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  /// Looks whether the folder is still this process's. Throws BusyError.
  void require() const;

  /// How the lock of a folder stands.
  struct State {
    enum class Kind { none, live, stale };
    Kind kind = Kind::none;
    LockHolder holder;
    double age = 0;  // seconds since the last heartbeat
    long number = 0;
  };
  /// By this machine's clock, without writing anything.
  static State look(const std::filesystem::path& folder);
  /// Throws the BusyError of a folder whose lock stands so.
  [[noreturn]] static void refuse(const std::filesystem::path& folder, const State& there);
  /// Whether a file of this name belongs to a lock.
  static bool is_part(const std::filesystem::path& file);

 private:
  bool superseded() const;
  void keep_beating(double beat);

  std::filesystem::path folder_, file_;
  long number_ = 0;
  std::function<void()> on_loss_;
  long owner_;  // pid: a forked child is none
  std::mutex mutex_;
  std::condition_variable ended_;
  bool ends_ = false;
  std::thread beats_;
};

}  // namespace invar
