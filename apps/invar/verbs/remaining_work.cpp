#include "apps/invar/verbs/remaining_work.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/invar/report/run_folder.hpp"
#include "apps/invar/report/run_state.hpp"
#include "apps/invar/spec/usage_error.hpp"
#include "apps/invar/verbs/first_rank.hpp"

namespace invar {
namespace {

std::string file_text(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

RemainingWork rest_found(const CommandLine& line) {
  RemainingWork left;
  left.folder = line.out.value_or(RunFolder::default_for(line.spec));
  const RunState state = RunState::of(left.folder);
  const std::string shown = "'" + left.folder.string() + "'";
  if (state.kind == RunState::Kind::running) RunLock::refuse(left.folder, RunLock::look(left.folder));
  if (state.kind == RunState::Kind::never_started || line.rerun == "all") return left;
  if (state.kind == RunState::Kind::failed && line.rerun == "failed") return left;
  std::error_code none;
  if (!std::filesystem::exists(left.folder / "resolved.yaml", none) && state.kind == RunState::Kind::waiting) return left;
  if (std::filesystem::exists(left.folder / "input.yaml", none) && file_text(left.folder / "input.yaml") != file_text(line.spec))
    throw UsageError("the run in " + shown + " began with another '" + line.spec.string() + "'; restore that file, choose another --out, or start again without --resume");
  if (state.kind == RunState::Kind::waiting) {
    left.kind = RemainingWork::Kind::rest;
    return left;
  }
  left.kind = RemainingWork::Kind::nothing;
  left.code = state.code.value_or(ExitCode::ok);
  left.description = state.kind == RunState::Kind::done ? "The run in " + shown + " has finished: " + state.reason
                                                  : "The run in " + shown + " has failed: " + state.reason + ". Use --rerun failed to repeat it";
  return left;
}

}  // namespace

RemainingWork RemainingWork::of(const CommandLine& line, MPI_Comm comm) {
  const std::string found = from_first_rank(comm, [&] {
    const RemainingWork left = rest_found(line);
    return nlohmann::json{left.kind, left.code, left.description}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  });
  const nlohmann::json facts = nlohmann::json::parse(found);
  return {facts[0].get<Kind>(), line.out.value_or(RunFolder::default_for(line.spec)), facts[1].get<ExitCode>(), facts[2].get<std::string>()};
}

}  // namespace invar
