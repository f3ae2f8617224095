#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "apps/invar/spec/exit_codes.hpp"

namespace invar {

/// How a run stands, as its folder says.
struct RunState {
  enum class Kind { never_started, waiting, running, done, failed };

  Kind kind = Kind::never_started;
  int preempted = 0;               // how often it was stopped before its end
  std::optional<ExitCode> code;    // of a run that has ended
  std::string reason;              // in one line
  double seconds = 0;

  /// Reads run.json and lock.json. A run that has not ended is running while its lock.json is younger than three beats, or
  /// while `starter_lives`, what started it and waits for it; else it died and waits to be taken up again. A folder that is
  /// damaged is a failure that says so.
  static RunState of(const std::filesystem::path& folder, bool starter_lives = false);

  /// "done", "running", "waiting, preempted 2 times", "failed: REASON", "never started".
  std::string words() const;
};

/// "done", "running", "waiting", "failed", "never started".
const char* name_of(RunState::Kind kind);

}  // namespace invar
