#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "apps/invar/spec/exit_codes.hpp"

namespace invar {

/// State of a run, read from its folder.
struct RunState {
  enum class Kind { never_started, waiting, running, done, failed };

  Kind kind = Kind::never_started;
  int preempted = 0;               // how often it was stopped before its end
  std::optional<ExitCode> code;    // of a run that has ended
  std::string reason;              // in one line
  double seconds = 0;
  std::string holder;              // of one that is running: the process, as its lock says

  /// Reads run.json and the lock. A run is running while its lock is alive; without a live lock and without an end it died and
  /// waits for resumption. A damaged folder is a failure with this reason.
  static RunState of(const std::filesystem::path& folder);

  /// "done", "running: pid 4711 on node3 since TIME", "waiting, preempted 2 times", "waiting, preempted 1 time: stale:
  /// …", "failed: REASON", "never started".
  std::string text() const;
};

/// "done", "running", "waiting", "failed", "never started".
const char* name_of(RunState::Kind kind);

}  // namespace invar
