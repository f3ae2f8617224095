#include <iostream>
#include <nlohmann/json.hpp>

#include "apps/invar/batch/sweep.hpp"
#include "apps/invar/batch/sweep_display.hpp"
#include "apps/invar/report/io_error.hpp"
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
  if (!Sweep::is_one(line.spec)) {
    if (!std::filesystem::exists(line.spec / "run.json"))
      throw IoError("'" + line.spec.string() + "' is neither the folder of a sweep nor of a run");
    const RunState state = RunState::of(line.spec);
    if (line.json) print(state_json(state));
    else std::cout << state.text() << '\n';
    return ExitCode::ok;
  }
  const Sweep sweep = Sweep::read(line.spec);
  std::map<RunState::Kind, int> counts;
  ordered_json points = ordered_json::array();
  for (const Sweep::Point& p : sweep.points) {
    const RunState state = RunState::of(Sweep::run_of(line.spec, p));
    ++counts[state.kind];
    if (line.json) {
      points.push_back({{"index", p.index}, {"name", p.name}});
      points.back().update(state_json(state));
    } else if (line.verbosity > 0 || (state.kind != RunState::Kind::done && state.kind != RunState::Kind::never_started)) {
      std::cout << "  " << p.name << "  " << state.text() << "  " << p.set.dump() << '\n';
    }
  }
  if (!line.json) {
    std::cout << counts_text(counts) << " of " << sweep.points.size() << " runs\n";
    return ExitCode::ok;
  }
  ordered_json of_kind;
  for (const auto& [kind, n] : counts) of_kind[name_of(kind)] = n;
  print({{"counts", of_kind}, {"points", points}});
  return ExitCode::ok;
}

}  // namespace invar
