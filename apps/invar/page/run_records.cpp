#include "apps/invar/page/run_records.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "apps/invar/spec/diagnostics.hpp"

namespace invar {

RunRecords::RunRecords(const std::filesystem::path& of)
    : folder(of), run(json_in(of / "run.json")), results(json_in(of / "results.json")), certificate(json_in(of / "certificate.json")),
      history(numbers_in(of / "history.csv")), state(RunState::of(of)) {
  if (const std::string text = text_of(of / "resolved.yaml"); !text.empty()) {
    Diagnostics ignored;
    spec = spec::parse(text, "resolved.yaml", ignored);
  }
}

const spec::Node* RunRecords::find(const std::string& path) const {
  const spec::Node* node = spec ? &*spec : nullptr;
  std::stringstream parts(path);
  std::string part;
  while (node && std::getline(parts, part, '.')) node = node->find(part);
  return node;
}

std::string RunRecords::asked(const std::string& path) const {
  const spec::Node* node = find(path);
  return node && node->form == spec::Node::Form::scalar ? node->text : std::string();
}

std::size_t RunRecords::stages() const {
  std::size_t most = 1;
  if (const spec::Node* design = find("design"))
    for (const spec::Node& entry : design->children)
      if (const spec::Node* stages = entry.find("stages")) most = std::max(most, stages->children.size());
  return most;
}

std::vector<nlohmann::ordered_json> RunRecords::physics() const {
  std::vector<nlohmann::ordered_json> all;
  if (run.contains("physics"))
    for (const auto& [name, of_case] : run["physics"].items()) all.push_back(of_case);
  return all;
}

std::string shown(double value) {
  if (!std::isfinite(value)) return "–";
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string shown(const nlohmann::ordered_json& value) {
  if (value.is_number()) return shown(value.get<double>());
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return value.is_string() ? value.get<std::string>() : "–";
}

std::string processes(const RunRecords& run) {
  const nlohmann::ordered_json ranks = run.run.value("ranks", nlohmann::ordered_json(1));
  return shown(ranks) + (ranks == 1 ? " process" : " processes");
}

std::string percent(double share) {
  if (!std::isfinite(share)) return "–";
  char text[40];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

}  // namespace invar
