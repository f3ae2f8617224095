#include <chrono>
#include <cstdio>
#include <iostream>
#include <thread>

#include "apps/invar/batch/sweep_driver.hpp"
#include "apps/invar/report/run_lock.hpp"
#include "apps/invar/verbs/interruption.hpp"
#include "apps/invar/verbs/sweep_setup.hpp"
#include "apps/invar/verbs/verbs.hpp"
#include "libfem/io/folder_entries.hpp"

namespace invar {
namespace {

namespace fs = std::filesystem;

/// Removes the runs, unless another process uses one of them.
void remove_runs(const fs::path& folder) {
  std::error_code none;
  for (const fs::path& run : entries_of(folder / "runs", none))
    if (const RunLock::State lock = RunLock::look(run); lock.kind == RunLock::State::Kind::live) RunLock::refuse(run, lock);
  fs::remove_all(folder / "runs");
}

ExitCode summary(const fs::path& folder, const Sweep& sweep, const SweepOutcome& outcome, bool quiet) {
  std::map<RunState::Kind, int> counts;
  for (const RunState& s : outcome.states) ++counts[s.kind];
  for (std::size_t i = 0; i < outcome.states.size(); ++i)
    if (outcome.states[i].kind == RunState::Kind::failed)
      std::cout << "  " << sweep.points[i].name << ' ' << outcome.states[i].text() << '\n';
  if (outcome.ran > 0 && !quiet) {
    char text[120];
    std::snprintf(text, sizeof text, "  the driver took %.2g s for each of the %d runs that it started", outcome.own_seconds / outcome.ran, outcome.ran);
    std::cout << text << '\n';
  }
  std::cout << counts_text(counts) << " of " << sweep.points.size() << " runs in '" << folder.string() << '\'';
  if (outcome.stopped) std::cout << "; interrupted: the same command continues";
  std::cout << std::endl;
  if (outcome.stopped) return ExitCode::interrupted;
  if (counts[RunState::Kind::failed] > 0) return ExitCode::not_converged;
  return counts[RunState::Kind::done] == static_cast<int>(sweep.points.size()) ? ExitCode::ok : ExitCode::interrupted;
}

}  // namespace

ExitCode sweep(const CommandLine& line) {
  const Sweep sweep = planned_sweep(line);
  const fs::path folder = sweep_folder(line);
  SweepOrder order;
  order.jobs = line.jobs > 0 ? line.jobs : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  order.rerun = line.rerun == "all" ? Rerun::all : line.rerun == "failed" ? Rerun::failed : Rerun::missing;
  order.quiet = line.verbosity < 0;
  const Interruption interruption;
  order.stops = [&] { return interruption.asked(); };
  prepare_sweep(folder, sweep, order.rerun == Rerun::all);
  const RunLock lock(folder);
  if (order.rerun == Rerun::all) remove_runs(folder);
  begin_sweep(folder, sweep);
  return summary(folder, sweep, drive(folder, sweep, order), order.quiet);
}

}  // namespace invar
