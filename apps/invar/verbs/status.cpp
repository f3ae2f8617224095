#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "apps/invar/batch/sweep.hpp"
#include "apps/invar/batch/sweep_display.hpp"
#include "apps/invar/report/io_error.hpp"
#include "apps/invar/report/run_state.hpp"
#include "apps/invar/verbs/verbs.hpp"
#include "libfem/io/folder_entries.hpp"

namespace invar {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// A run of a sweep, or in a folder of runs.
struct ListedRun {
  fs::path folder;
  ordered_json about;  // its name; of a sweep also its number
  std::string values;  // in a sweep
};

bool holds_run(const fs::path& folder) {
  std::error_code none;
  return fs::exists(folder / "run.json", none);
}

/// The runs of a sweep; in another folder all runs and those of all sweeps, by name.
std::vector<ListedRun> runs_in(const fs::path& folder) {
  std::vector<ListedRun> runs;
  if (Sweep::is_one(folder)) {
    for (const Sweep::Point& p : Sweep::read(folder).points)
      runs.push_back({Sweep::run_of(folder, p), {{"index", p.index}, {"name", p.name}}, "  " + p.set.dump()});
    return runs;
  }
  std::error_code none;
  std::vector<fs::path> entries = entries_of(folder, none);
  std::ranges::sort(entries);
  for (const fs::path& entry : entries) {
    const std::string name = entry.filename().string();
    if (holds_run(entry)) runs.push_back({entry, {{"name", name}}, ""});
    if (!Sweep::is_one(entry)) continue;
    for (ListedRun& run : runs_in(entry)) {
      run.about = {{"name", name + '/' + run.about["name"].get<std::string>()}};
      runs.push_back(std::move(run));
    }
  }
  return runs;
}

ordered_json state_json(const RunState& state) {
  return {{"state", name_of(state.kind)},
          {"preempted", state.preempted},
          {"exit_code", state.code ? ordered_json(static_cast<int>(*state.code)) : ordered_json()},
          {"reason", state.reason},
          {"at_work", state.holder.empty() ? ordered_json() : ordered_json(state.holder)},
          {"seconds", state.seconds}};
}

void print(const ordered_json& j) { std::cout << j.dump(2, ' ', false, ordered_json::error_handler_t::replace) << '\n'; }

}  // namespace

/// The exit code is 0 for all states of the runs.
ExitCode status(const CommandLine& line) {
  if (!Sweep::is_one(line.spec) && holds_run(line.spec)) {
    const RunState state = RunState::of(line.spec);
    if (line.json) print(state_json(state));
    else std::cout << state.text() << '\n';
    return ExitCode::ok;
  }
  const std::vector<ListedRun> runs = runs_in(line.spec);
  if (runs.empty()) throw IoError("'" + line.spec.string() + "' is neither the folder of a sweep nor of a run, and contains no such folder");
  std::map<RunState::Kind, int> counts;
  ordered_json points = ordered_json::array();
  for (const ListedRun& run : runs) {
    const RunState state = RunState::of(run.folder);
    ++counts[state.kind];
    if (line.json) {
      points.push_back(run.about);
      points.back().update(state_json(state));
    } else if (line.verbosity > 0 || (state.kind != RunState::Kind::done && state.kind != RunState::Kind::never_started)) {
      std::cout << "  " << run.about["name"].get<std::string>() << "  " << state.text() << run.values << '\n';
    }
  }
  if (!line.json) {
    std::cout << counts_text(counts) << " of " << runs.size() << " runs\n";
    return ExitCode::ok;
  }
  ordered_json of_kind;
  for (const auto& [kind, n] : counts) of_kind[name_of(kind)] = n;
  print({{"counts", of_kind}, {"points", points}});
  return ExitCode::ok;
}

}  // namespace invar
