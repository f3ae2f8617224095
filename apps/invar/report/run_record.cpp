#include "apps/invar/report/run_record.hpp"

#include <ctime>

namespace invar {

nlohmann::ordered_json RunRecord::json() const {
  nlohmann::ordered_json out;
  out["program"] = "invar";
  out["version"] = version;
  out["libraries"] = libraries;
  out["command"] = command;
  out["spec"] = spec;
  out["host"] = host;
  out["ranks"] = ranks;
  out["seed"] = seed;
  out["started"] = started;
  out["finished"] = nullptr;
  if (!finished.empty()) out["finished"] = finished;
  out["seconds"] = seconds;
  out["status"] = !exit_code ? "running" : *exit_code == ExitCode::ok ? "ok" : "failed";
  out["exit_code"] = nullptr;
  if (exit_code) out["exit_code"] = static_cast<int>(*exit_code);
  out["reason"] = reason;
  return out;
}

std::string RunRecord::now() {
  const std::time_t seconds = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

}  // namespace invar
