#include "apps/invar/report/run_state.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/invar/report/io_error.hpp"
#include "apps/invar/report/run_folder.hpp"

namespace invar {
namespace {

constexpr std::time_t stale_after = 30;  // seconds: three beats of a lock

/// Whether lock.json says that somebody runs here.
bool locked(const std::filesystem::path& folder) {
  std::ifstream in(folder / "lock.json");
  const nlohmann::json lock = nlohmann::json::parse(in, nullptr, false);
  if (!lock.is_object() || !lock.contains("heartbeat") || !lock["heartbeat"].is_string()) return false;
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  if (lock.value("host", nlohmann::json()) == host && lock.contains("pid") && lock["pid"].is_number_integer()) {
    const pid_t pid = lock["pid"].get<pid_t>();
    if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH) return false;
  }
  std::tm utc{};
  if (!strptime(lock["heartbeat"].get<std::string>().c_str(), "%Y-%m-%dT%H:%M:%S", &utc)) return false;
  return std::time(nullptr) - timegm(&utc) < stale_after;
}

/// The first line that says something; of several mistakes of a spec the first one.
std::string first_line(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \n");
  if (begin == std::string::npos) return "no reason is known";
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

RunState RunState::of(const std::filesystem::path& folder, bool starter_lives) {
  RunState state;
  std::error_code none;
  if (!std::filesystem::exists(folder / "run.json", none)) return state;
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
  if (record.exit_code == ExitCode::ok) {
    state.kind = Kind::done;
  } else if (record.exit_code && record.exit_code != ExitCode::interrupted) {
    state.kind = Kind::failed;
  } else if (!record.exit_code && (starter_lives || locked(folder))) {
    state.kind = Kind::running;
  } else {
    state.kind = Kind::waiting;
    ++state.preempted;
    if (!record.exit_code) state.reason = "it ended without a word: killed, or the machine went down";
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

std::string RunState::words() const {
  std::string out = name_of(kind);
  if (preempted > 0) out += ", preempted " + std::to_string(preempted) + (preempted == 1 ? " time" : " times");
  return kind == Kind::failed ? out + ": " + reason : out;
}

}  // namespace invar
