#include "apps/invar/report/run_state.hpp"

#include "apps/invar/report/console.hpp"
#include "apps/invar/report/io_error.hpp"
#include "apps/invar/report/run_folder.hpp"

namespace invar {
namespace {

/// The first line that says something; of several mistakes of a spec the first one.
std::string first_line(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \n");
  if (begin == std::string::npos) return "unknown reason";
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

RunState RunState::of(const std::filesystem::path& folder) {
  using Lock = RunLock::State::Kind;
  RunState state;
  const RunLock::State lock = RunLock::look(folder);
  const bool at_work = lock.kind == Lock::live && !lock.holder.is_this_process();
  if (at_work) state.holder = lock.holder.text();
  std::error_code none;
  if (!std::filesystem::exists(folder / "run.json", none)) {
    if (at_work) state.kind = Kind::running;
    return state;
  }
  RunRecord record;
  try {
    record = RunFolder::record_in(folder);
  } catch (const IoError& e) {
    state.kind = Kind::failed;
    state.code = ExitCode::io;
    state.reason = e.what();
    return state;
  }
  state.preempted = static_cast<int>(record.resumed.size());
  state.code = record.exit_code;
  state.reason = first_line(record.reason);
  state.seconds = record.seconds;
  if (at_work) {
    state.kind = Kind::running;  // on its end, too: what it says of that comes last
  } else if (record.exit_code == ExitCode::ok) {
    state.kind = Kind::done;
  } else if (record.exit_code && record.exit_code != ExitCode::interrupted) {
    state.kind = Kind::failed;
  } else {
    state.kind = Kind::waiting;
    ++state.preempted;
    if (record.exit_code) return state;
    state.reason = lock.kind == Lock::stale ? "stale: " + lock.holder.text() + " has had no heartbeat for " + duration_text(lock.age)
                                            : "it ended without an exit code: killed, or the machine failed";
  }
  return state;
}

const char* name_of(RunState::Kind kind) {
  switch (kind) {
    case RunState::Kind::never_started: return "never started";
    case RunState::Kind::waiting: return "waiting";
    case RunState::Kind::running: return "running";
    case RunState::Kind::done: return "done";
    case RunState::Kind::failed: return "failed";
  }
  return "";
}

std::string RunState::text() const {
  std::string out = name_of(kind);
  if (preempted > 0) out += ", preempted " + std::to_string(preempted) + (preempted == 1 ? " time" : " times");
  if (kind == Kind::running && !holder.empty()) return out + ": " + holder;
  const bool is_explained = kind == Kind::failed || (kind == Kind::waiting && !code);
  return is_explained ? out + ": " + reason : out;
}

}  // namespace invar
