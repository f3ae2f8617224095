#include <cstdio>

#include "apps/invar/batch/sweep_results.hpp"

namespace invar {
namespace {

using nlohmann::ordered_json;

/// Six digits; null stands for NaN.
std::string short_of(const ordered_json& j) {
  if (!j.is_number() || (j.is_number_float() && j.get<double>() != j.get<double>())) return "unknown";
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", j.get<double>());
  return text;
}

/// Two digits, for errors.
std::string shorter_of(const ordered_json& j) {
  if (!j.is_number() || (j.is_number_float() && j.get<double>() != j.get<double>())) return "unknown";
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", j.get<double>());
  return text;
}

}  // namespace

std::vector<std::string> summary_lines(const ordered_json& s) {
  std::vector<std::string> out;
  std::string counts;
  for (const auto& [name, n] : s["runs"].items()) counts += (counts.empty() ? "" : ", ") + n.dump() + ' ' + name;
  out.push_back(counts);
  if (s.contains("missing"))
    for (const ordered_json& name : s["missing"]) out.push_back("warning: '" + name.get<std::string>() + "' does not occur in results.json of any run");
  if (s.contains("statistics"))
    for (const auto& [name, v] : s["statistics"].items())
      out.push_back(name + ": mean " + short_of(v["mean"]) + ", standard deviation " + short_of(v["standard_deviation"]) + ", 5 % " +
                    short_of(v["q05"]) + ", median " + short_of(v["median"]) + ", 95 % " + short_of(v["q95"]));
  if (s.contains("sobol_indices"))
    for (const auto& [name, v] : s["sobol_indices"].items())
      for (const auto& [input, first] : v["first"].items())
        out.push_back(name + ": Sobol indices of " + input + ": first order " + short_of(first) + " ± " + shorter_of(v["first_error"][input]) +
                      ", total " + short_of(v["total"][input]) + " ± " + shorter_of(v["total_error"][input]) + " (" + v["samples"].dump() + " samples)");
  if (s.contains("best"))
    out.push_back("best: " + s["best"]["name"].get<std::string>() + ", objective " + short_of(s["best"]["objective"]) + ", " + s["best"]["set"].dump());
  if (s.contains("comparison")) {
    const ordered_json& c = s["comparison"];
    if (c.contains("reason")) out.push_back("warning: the models are not compared: " + c["reason"].get<std::string>());
    else
      for (const ordered_json& m : c["models"]) {
        const bool wins = m["name"] == c["winner"];
        const double behind = m["negative_log_evidence"].get<double>() - c["models"][0]["negative_log_evidence"].get<double>();
        out.push_back(std::string(wins ? "best model by evidence: " : "next: ") + m["name"].get<std::string>() + ", probability " + short_of(m["probability"]) +
                      (wins ? "" : ", evidence smaller by the factor exp(−" + short_of(behind) + ")") + ", " + m["set"].dump());
        if (wins && c.contains("noise"))
          out.push_back("errors of the data are correlated, by the residuals of " + c["noise"]["of"].get<std::string>() + ", the closest fit: " + c["noise"]["data"].dump() +
                        " values count as " + shorter_of(c["noise"]["effective_data"]) + " independent ones, and differences of χ² as " + shorter_of(c["noise"]["variance_inflation"]) + " times smaller");
        if (!m["describes_the_data"].get<bool>())
          out.push_back("warning: " + m["name"].get<std::string>() + " does not describe the data: its squared misfit is " +
                        shorter_of(m["chi_squared_per_degree"]) + " times what the stated noise explains");
      }
  }
  if (s.contains("pareto"))
    for (const ordered_json& p : s["pareto"]) {
      std::string line = "Pareto set: " + p["name"].get<std::string>();
      for (const auto& [name, v] : p.items())
        if (name != "name") line += ", " + name + ' ' + short_of(v);
      out.push_back(line);
    }
  return out;
}

}  // namespace invar
