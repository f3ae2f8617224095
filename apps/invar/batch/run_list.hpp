#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "apps/invar/batch/sweep.hpp"

namespace invar {

/// A run in a folder: one of a sweep, or one of a spec of its own.
struct ListedRun {
  std::filesystem::path folder;  // the run's
  std::string name;              // "0001" in a sweep's folder; in others "beam", or "study/0001" of a sweep
  std::filesystem::path sweep;   // the folder of its sweep; empty: a run of its own
  Sweep::Point point = {};       // in the sweep
};

/// Whether a folder is that of a run that has begun.
bool holds_run(const std::filesystem::path& folder);

/// The runs of a sweep; in another folder all runs and those of all sweeps, by name. Throws IoError where there are none, or where a
/// sweep.json is damaged.
std::vector<ListedRun> runs_in(const std::filesystem::path& folder);

}  // namespace invar
