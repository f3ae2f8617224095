#include "apps/invar/report/lock_holder.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "apps/invar/report/run_record.hpp"

namespace invar {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string machine_here() {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  std::error_code none;
  return boot + ' ' + std::filesystem::read_symlink("/proc/self/ns/pid", none).string();
}

/// State letter and start time of a process (proc(5), stat: fields 3 and 22); empty where there is none.
std::pair<char, std::string> process(long pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(in, text);
  const std::size_t name_end = text.rfind(')');  // the name may hold anything
  if (name_end == std::string::npos || name_end + 2 >= text.size()) return {};
  std::istringstream fields(text.substr(name_end + 2));
  std::string field, state;
  fields >> state;
  for (int i = 4; i <= 22; ++i) fields >> field;
  return {state[0], field};
}

std::string job_of_slurm() {
  const std::string array = variable("SLURM_ARRAY_JOB_ID"), task = variable("SLURM_ARRAY_TASK_ID");
  return array.empty() || task.empty() ? variable("SLURM_JOB_ID") : array + '_' + task;
}

}  // namespace

LockHolder LockHolder::this_process(double beat) {
  LockHolder out;
  char host[256] = {};
  if (gethostname(host, sizeof host - 1) == 0) out.host = host;
  out.machine = machine_here();
  out.pid = ::getpid();
  out.born = process(out.pid).second;
  out.job = job_of_slurm();
  out.restarts = std::atoi(variable("SLURM_RESTART_COUNT").c_str());
  out.since = RunRecord::now();
  out.beat = beat;
  return out;
}

nlohmann::ordered_json LockHolder::json() const {
  return {{"program", "invar"}, {"host", host}, {"machine", machine}, {"pid", pid}, {"born", born},
          {"job", job}, {"restarts", restarts}, {"since", since}, {"beat", beat}};
}

LockHolder LockHolder::read(const nlohmann::json& json) {
  LockHolder out;
  const auto text = [&](const char* name, std::string& to) {
    if (json.contains(name) && json[name].is_string()) json[name].get_to(to);
  };
  const auto number = [&](const char* name, auto& to) {
    if (json.contains(name) && json[name].is_number()) json[name].get_to(to);
  };
  if (!json.is_object()) return out;
  text("host", out.host);
  text("machine", out.machine);
  number("pid", out.pid);
  text("born", out.born);
  text("job", out.job);
  number("restarts", out.restarts);
  text("since", out.since);
  number("beat", out.beat);
  return out;
}

LockHolder::Life LockHolder::life() const {
  if (pid <= 0 || machine.empty() || machine != machine_here()) return Life::unknown;
  if (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return Life::dead;
  const auto [state, began] = process(pid);
  if (began.empty()) return Life::unknown;  // it may be hidden from this user
  return began == born && state != 'Z' && state != 'X' ? Life::lives : Life::dead;
}

bool LockHolder::is_this_process() const { return pid == ::getpid() && machine == machine_here(); }

std::string LockHolder::text() const {
  if (pid == 0) return "an unknown process";
  std::string out = "pid " + std::to_string(pid) + " on " + host;
  if (!job.empty()) {
    out += " (Slurm job " + job;
    if (restarts > 0) out += ", restarted " + std::to_string(restarts) + (restarts == 1 ? " time" : " times");
    out += ')';
  }
  return since.empty() ? out : out + " since " + since;
}

}  // namespace invar
