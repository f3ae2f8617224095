#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "apps/invar/batch/sweep.hpp"
#include "apps/invar/batch/sweep_display.hpp"

namespace invar {

/// Which runs of a sweep are done anew, besides those that have not come to their end.
enum class Rerun { missing, failed, all };

/// Options of a driver.
struct SweepOrder {
  int jobs = 1;                  // runs at a time
  Rerun rerun = Rerun::missing;
  std::function<bool()> stops = {};  // whether a signal wants it to stop: its runs then write a checkpoint
  bool quiet = false;
};

/// How a sweep went.
struct SweepOutcome {
  std::vector<RunState> states;  // of all points
  int ran = 0;                   // processes that were started
  double own_seconds = 0;        // of wall clock, without those in which it waited for runs
  bool stopped = false;
};

/// Runs what is to be run of the sweep in a folder, each as a process of its own; what was interrupted goes on from its
/// checkpoint. The caller holds the folder's lock.
SweepOutcome drive(const std::filesystem::path& folder, const Sweep& sweep, const SweepOrder& order);

}  // namespace invar
