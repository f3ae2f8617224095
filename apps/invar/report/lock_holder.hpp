#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace invar {

/// The process that uses a folder, from its lock.
struct LockHolder {
  std::string host;
  std::string machine;  // boot and process namespace: where the same, `pid` is a process of the reader's machine, too
  long pid = 0;
  std::string born;     // when the process began, in ticks since the boot; tells it from a later one of the same number
  std::string job;      // of the batch system, "1234" or "1234_5" of an array; empty: none
  int restarts = 0;     // of that job
  std::string since;    // UTC, ISO 8601
  double beat = 0;      // seconds between two heartbeats

  static LockHolder this_process(double beat);
  nlohmann::ordered_json json() const;
  /// Members that it lacks, or that are of another type, keep their defaults.
  static LockHolder read(const nlohmann::json& json);

  /// What this machine knows of the process: whether it lives; unknown of one on another machine.
  enum class Life { unknown, lives, dead };
  Life life() const;
  bool is_this_process() const;

  /// "pid 4711 on node3 (Slurm job 1234_5, restarted 2 times) since TIME".
  std::string text() const;
};

}  // namespace invar
