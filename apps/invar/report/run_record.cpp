#include "apps/invar/report/run_record.hpp"

#include <ctime>
#include <fstream>

namespace invar {

nlohmann::ordered_json RunRecord::json() const {
  nlohmann::ordered_json out;
  out["program"] = "invar";
  out["version"] = version;
  out["libraries"] = libraries;
  out["command"] = command;
  out["spec"] = spec;
  out["folder"] = folder;
  out["inputs"] = nlohmann::ordered_json::array();
  for (const Input& i : inputs) {
    out["inputs"].push_back({{"file", i.file}, {"bytes", i.bytes}, {"crc32", i.crc32}});
    if (!i.about.empty()) out["inputs"].back()["about"] = i.about;
  }
  if (!starts.is_null()) out["starts"] = starts;
  if (!physics.is_null()) out["physics"] = physics;
  out["host"] = host;
  out["processor"] = processor;
  out["ranks"] = ranks;
  out["device"] = nullptr;
  if (!device.empty()) out["device"] = device;
  if (together > 1) out["together"] = together;
  out["seed"] = seed;
  out["started"] = started;
  out["resumed"] = resumed;
  out["finished"] = nullptr;
  if (!finished.empty()) out["finished"] = finished;
  out["seconds"] = seconds;
  out["peak_memory"] = peak_memory;
  out["status"] = !exit_code                            ? "running"
                  : *exit_code == ExitCode::ok          ? "ok"
                  : *exit_code == ExitCode::interrupted ? "interrupted"
                                                        : "failed";
  out["exit_code"] = nullptr;
  if (exit_code) out["exit_code"] = static_cast<int>(*exit_code);
  out["reason"] = reason;
  return out;
}

RunRecord RunRecord::read(const nlohmann::json& json) {
  RunRecord out;
  const auto take = [&](const char* name, auto& value) {
    if (json.contains(name) && !json[name].is_null()) json[name].get_to(value);
  };
  take("version", out.version);
  take("libraries", out.libraries);
  take("command", out.command);
  take("spec", out.spec);
  take("folder", out.folder);
  if (json.contains("inputs"))
    for (const nlohmann::json& i : json["inputs"])
      out.inputs.push_back({i.at("file").get<std::string>(), i.at("bytes").get<unsigned long long>(), i.at("crc32").get<std::string>(), i.value("about", "")});
  take("host", out.host);
  take("processor", out.processor);
  take("ranks", out.ranks);
  take("device", out.device);
  take("together", out.together);
  take("seed", out.seed);
  take("started", out.started);
  take("resumed", out.resumed);
  take("finished", out.finished);
  take("seconds", out.seconds);
  take("peak_memory", out.peak_memory);
  take("reason", out.reason);
  int code = -1;
  take("exit_code", code);
  if (code >= 0) out.exit_code = static_cast<ExitCode>(code);
  return out;
}

std::string RunRecord::this_processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (const std::size_t at = line.find(": "); line.starts_with("model name") && at != std::string::npos) return line.substr(at + 2);
  return {};
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
