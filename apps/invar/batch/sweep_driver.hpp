#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "apps/invar/batch/sweep.hpp"
#include "apps/invar/batch/sweep_display.hpp"

namespace invar {

/// Which runs of a sweep are repeated, in addition to unfinished ones.
enum class Rerun { missing, failed, all };

/// Options of a driver.
struct SweepOrder {
  int jobs = 1;                  // runs at a time
  Rerun rerun = Rerun::missing;
  std::function<bool()> stops = {};  // whether a signal wants it to stop: its runs then write a checkpoint
  bool quiet = false;
};

/// Result of a sweep.
struct SweepOutcome {
  std::vector<RunState> states;  // of all points
  int ran = 0;                   // runs that were started
  double own_seconds = 0;        // wall-clock time of the driver without waiting for runs
  bool stopped = false;
};

/// Runs the pending points of the sweep in a folder, each as a separate process; interrupted runs continue from their checkpoints.
/// The caller must hold the folder's lock.
SweepOutcome drive(const std::filesystem::path& folder, const Sweep& sweep, const SweepOrder& order);

}  // namespace invar
