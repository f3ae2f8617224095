#include <iostream>
#include <nlohmann/json.hpp>

#include "apps/invar/batch/run_list.hpp"
#include "apps/invar/batch/sweep_display.hpp"
#include "apps/invar/report/run_state.hpp"
#include "apps/invar/verbs/verbs.hpp"

namespace invar {
namespace {

using nlohmann::ordered_json;

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
  const bool of_sweep = Sweep::is_one(line.spec);
  if (!of_sweep && holds_run(line.spec)) {
    const RunState state = RunState::of(line.spec);
    if (line.json) print(state_json(state));
    else std::cout << state.text() << '\n';
    return ExitCode::ok;
  }
  const std::vector<ListedRun> runs = runs_in(line.spec);
  std::map<RunState::Kind, int> counts;
  ordered_json points = ordered_json::array();
  for (const ListedRun& run : runs) {
    const RunState state = RunState::of(run.folder);
    ++counts[state.kind];
    if (line.json) {
      ordered_json& point = points.emplace_back(ordered_json::object());
      if (of_sweep) point["index"] = run.point.index;
      point["name"] = run.name;
      point.update(state_json(state));
    } else if (line.verbosity > 0 || (state.kind != RunState::Kind::done && state.kind != RunState::Kind::never_started)) {
      std::cout << "  " << run.name << "  " << state.text() << (run.sweep.empty() ? "" : "  " + run.point.set.dump()) << '\n';
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
