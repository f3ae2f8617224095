#include <algorithm>
#include <cmath>

#include "apps/invar/page/citations.hpp"
#include "apps/invar/page/run_sections.hpp"

namespace invar {
namespace {

using nlohmann::ordered_json;

std::string quoted_word(const std::string& word) {
  if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%") == std::string::npos && !word.empty()) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// "Young's modulus …" as people write a list: a, b and c.
std::string sentence_of(const std::vector<std::string>& parts) {
  std::string out;
  for (std::size_t k = 0; k < parts.size(); ++k) out += (k == 0 ? "" : k + 1 == parts.size() ? " and " : ", ") + parts[k];
  return out;
}

/// Of all cases, each once.
std::vector<std::string> equations(const RunRecords& run) {
  std::vector<std::string> all;
  for (const ordered_json& of_case : run.physics())
    if (const std::string methods = shown(of_case.at("methods")); std::ranges::find(all, methods) == all.end()) all.push_back(methods);
  if (all.empty()) all.push_back("The equations were discretised by finite elements");
  return all;
}

/// "1 200 unknowns on 500 nodes", of each case; empty: there are no results.
std::string unknowns(const RunRecords& run) {
  if (!run.results.contains("cases")) return "";
  std::vector<std::string> parts;
  for (const auto& [name, c] : run.results["cases"].items()) {
    if (parts.size() == 4) {
      parts.push_back("others");
      break;
    }
    const ordered_json& steps = c.contains("steps") ? c["steps"] : ordered_json(1);
    parts.push_back(shown(c.value("unknowns", ordered_json())) + " unknowns" + (c.contains("nodes") ? " on " + shown(c["nodes"]) + " nodes" : "") + (steps == 1 ? "" : " and " + shown(steps) + " steps") +
                    (run.results["cases"].size() > 1 ? " (" + name + ")" : ""));
  }
  return sentence_of(parts);
}

std::string time_scheme(const RunRecords& run) {
  const std::string scheme = run.asked("time.scheme");
  return scheme.empty() || scheme == "static" ? "" : " Time was integrated by the scheme " + scheme + ".";
}

std::string search_method(const RunRecords& run) {
  if (!run.is_search()) return "";
  std::string text = " Derivatives of the discrete equations were computed by discrete adjoints";
  const bool checked = run.certificate.contains("entries") && run.certificate["entries"].is_array() && !run.certificate["entries"].empty();
  text += checked ? "; they were compared with those of the tangent model at the start." : "; this run has no record of a comparison with the tangent model.";
  std::string method = run.asked("optimizer.method");
  if (run.results.contains("optimizer") && run.results["optimizer"].contains("method")) method = shown(run.results["optimizer"]["method"]);
  if (!method.empty() && method != "auto") text += " The optimiser was " + method + ".";
  if (run.stages() > 1) text += " The search ran in " + std::to_string(run.stages()) + " stages, each with a limit of iterations.";
  else if (const std::string tolerance = run.asked("optimizer.gradient_tolerance"); !tolerance.empty())
    text += " The search ends when the projected gradient is " + tolerance + " of its initial size.";
  return text;
}

}  // namespace

void add_methods(const RunRecords& run, HtmlPage& page) {
  if (!run.spec) return;
  page.section("Methods");
  std::string versions = " Computed on " + processes(run);
  if (const ordered_json processor = run.run.value("processor", ordered_json()); processor.is_string() && !processor.empty())
    versions += " (" + shown(processor) + ')';
  versions += " with invar " + shown(run.run.value("version", ordered_json()));
  if (run.run.contains("libraries"))
    for (const auto& [name, version] : run.run["libraries"].items()) {
      const std::string text = shown(version);
      versions += ", " + (text.starts_with("Open MPI") || text.starts_with("Petsc") ? text : name + ' ' + text);
    }
  std::string solver;
  if (const std::string rtol = run.asked("solver.rtol"); !rtol.empty() && rtol != "auto")
    solver = " Nonlinear equations were solved by Newton's method to a relative residual of " + rtol + ".";
  const std::vector<std::string> said = equations(run);
  std::string text = said[0];
  for (std::size_t k = 1; k < said.size(); ++k) text += ". " + said[k];
  if (const std::string counts = unknowns(run); !counts.empty()) text += (said.size() == 1 ? " with " : ". The cases have ") + counts;
  page.paragraph(text + "." + time_scheme(run) + solver + search_method(run) + versions + ".");
  add_citations(citations_of(run), shown(run.run.value("version", ordered_json())), page);
}

void add_reproduction(const RunRecords& run, HtmlPage& page) {
  page.section("To repeat it");
  std::string command;
  if (run.run.value("ranks", 1) > 1) command = "mpirun -n " + std::to_string(run.run.value("ranks", 1)) + ' ';
  command += "invar run " + quoted_word(run.run.contains("spec") ? shown(run.run["spec"]) : "SPEC");
  if (run.run.contains("command"))
    for (const auto& option : run.run["command"]) {
      const std::string text = shown(option);
      command += text.starts_with("--set ") ? " --set " + quoted_word(text.substr(6)) : ' ' + quoted_word(text);
    }
  page.preformatted(command);
  const std::string folder = run.run.contains("folder") ? shown(run.run["folder"]) : "";
  page.paragraph((folder.empty() ? "" : "Given in the folder " + folder + ". ") +
                 "With all defaults and absolute paths: resolved.yaml in the run's folder.");
  std::vector<std::vector<std::string>> rows;
  if (run.run.contains("inputs"))
    for (const ordered_json& input : run.run["inputs"])
      rows.push_back({shown(input.at("file")), input.at("bytes").dump(), shown(input.at("crc32")), input.contains("about") ? shown(input.at("about")) : ""});
  if (rows.empty()) return page.paragraph("The files that this run read are not recorded.");
  page.table("Files that were read", {{"file"}, {"bytes", true}, {"CRC-32"}, {"first comments"}}, rows);
}

}  // namespace invar
