#include <algorithm>
#include <cmath>

#include "apps/invar/page/limit_text.hpp"
#include "apps/invar/page/run_sections.hpp"
#include "apps/invar/spec/exit_codes.hpp"

namespace invar {
namespace {

using nlohmann::ordered_json;
using spec::Node;

/// "2.3 s", "4 min 10 s", "3 h 5 min".
std::string duration(double seconds) {
  char text[40];
  seconds = std::min(seconds, 1e9);  // limit, for damaged records
  if (seconds < 60) std::snprintf(text, sizeof text, "%.2f s", seconds);
  else if (seconds < 3600) std::snprintf(text, sizeof text, "%d min %d s", static_cast<int>(seconds) / 60, static_cast<int>(seconds) % 60);
  else std::snprintf(text, sizeof text, "%d h %d min", static_cast<int>(seconds) / 3600, static_cast<int>(seconds) / 60 % 60);
  return text;
}

std::string scalar(const Node& node, const char* key) {
  const Node* value = node.find(key);
  return value && value->form == Node::Form::scalar ? value->text : std::string();
}

/// The first value of an object of results.json as a number.
double number_at(const ordered_json& j, const char* key) {
  return j.contains(key) && j[key].is_number() ? j[key].get<double>() : std::nan("");
}

std::string of_entry(const Node& entry) {
  const std::string kind = scalar(entry, "kind"), variable = scalar(entry, "variable");
  std::string text = variable.empty() ? kind : variable + (kind.empty() || kind == "number" ? "" : " (" + kind + ")");
  const std::string lower = scalar(entry, "lower"), upper = scalar(entry, "upper");
  if (!lower.empty() || !upper.empty()) text += ", from " + (lower.empty() ? "−∞" : lower) + " to " + (upper.empty() ? "∞" : upper);
  return text;
}

std::string of_term(const Node& term) {
  std::string text = scalar(term, "type");
  const std::string name = scalar(term, "name");
  if (!name.empty() && name != text) text = name + ": " + text;
  for (const char* key : {"region", "component", "case", "statistic"})
    if (const std::string value = scalar(term, key); !value.empty() && value != "value") text += std::string(", ") + key + ' ' + value;
  for (const char* key : {"file", "target", "lower", "upper", "weight"})
    if (const std::string value = scalar(term, key); !value.empty() && !(std::string(key) == "weight" && value == "1"))
      text += std::string(", ") + key + ' ' + (std::string(key) == "file" ? std::filesystem::path(value).filename().string() : value);
  return text;
}

/// "tip: traction, region right, y -100": zero and empty values are omitted, unless all are.
std::string of_record(const Node& record) {
  std::string text = scalar(record, "type"), zeros;
  for (const Node& value : record.children) {
    if (value.form != Node::Form::scalar || value.key == "type" || value.text.empty() || value.text == "false") continue;
    if (value.key == "factor" && value.text == "1") continue;
    std::string& to = value.text == "0" ? zeros : text;
    to += (to.empty() ? "" : ", ") + value.key + ' ' + value.text;
  }
  if (scalar(record, "type").empty() && !zeros.empty()) text += (text.empty() ? "" : ", ") + zeros;
  return record.key + ": " + text;
}

template <class Describe>
std::string described_list(const Node* list, const Describe& describe) {
  std::string text;
  if (list)
    for (const Node& entry : list->children) text += (text.empty() ? "" : "; ") + describe(entry);
  return text;
}

}  // namespace

void add_outcome(const RunRecords& run, HtmlPage& page) {
  page.section("Result");
  using Verdict = HtmlPage::Verdict;
  const std::string reason = run.state.reason.empty() && run.run.contains("reason") ? shown(run.run["reason"]) : run.state.reason;
  const bool ended = run.state.code.has_value();
  if (!ended) page.verdict(Verdict::neutral, "Not finished.", "The run is " + run.state.text() + ".");
  else if (*run.state.code == ExitCode::ok) page.verdict(Verdict::good, "Done.", reason);
  else
    page.verdict(*run.state.code == ExitCode::interrupted ? Verdict::neutral : Verdict::bad,
                 *run.state.code == ExitCode::interrupted ? "Interrupted." : "Not done.",
                 reason + " (exit code " + std::to_string(static_cast<int>(*run.state.code)) + ": " + describe(*run.state.code) + ")");
  std::vector<std::pair<std::string, std::string>> facts;
  if (run.results.contains("objective")) {
    std::string text = shown(run.results["objective"]);
    if (run.stages() > 1) text += " in the last of " + std::to_string(run.stages()) + " stages, each with a different objective";
    else if (const auto* j = run.history.find("objective"); j && j->size() > 1) text = "from " + shown(j->front()) + " to " + text;
    facts.emplace_back("objective", text);
  }
  if (run.results.contains("optimizer")) {
    const ordered_json& o = run.results["optimizer"];
    facts.emplace_back("search", shown(o.value("iterations", ordered_json())) + " iterations, " + shown(o.value("evaluations", ordered_json())) +
                                     " evaluations, of which " + shown(o.value("rejected", ordered_json())) + " were rejected");
    if (number_at(o, "violation") > 0) facts.emplace_back("violation of the constraints", shown(number_at(o, "violation")));
  }
  if (run.results.contains("limits")) {
    for (const auto& [name, limit] : run.results["limits"].items()) facts.emplace_back(name, limit_text(limit));
    facts.emplace_back("first order", first_order_text(run.results.value("optimizer", ordered_json::object())));
  }
  if (run.results.contains("verification")) facts.emplace_back("verification", shown(run.results["verification"].value("verdict", ordered_json())));
  else if (run.is_search()) facts.emplace_back("verification", "none: the optimum was not verified; see 'invar verify'");
  if (const double s = number_at(run.run, "seconds"); std::isfinite(s))
    facts.emplace_back("time", duration(s) + " on " + processes(run) + " of " + shown(run.run.value("host", ordered_json())));
  if (const double m = number_at(run.run, "peak_memory"); m > 0) facts.emplace_back("memory", shown(m / 1048576) + " MiB at most, on the first process");
  page.definitions(facts);
}

void add_question(const RunRecords& run, HtmlPage& page) {
  if (!run.spec) return;
  page.section("Problem");
  std::vector<std::pair<std::string, std::string>> facts;
  const auto add = [&](const std::string& name, const std::string& text) {
    if (!text.empty()) facts.emplace_back(name, text);
  };
  std::string physics = run.asked("physics.type");
  for (const char* key : {"physics.equations", "physics.kind", "physics.formulation", "physics.elements"})
    if (const std::string more = run.asked(key); !more.empty()) physics += ", " + more;
  add("physics", physics);
  if (const Node* mesh = run.find("mesh"))
    for (const Node& kind : mesh->children) {
      if (kind.key == "file") add("mesh", std::filesystem::path(kind.text).filename().string());
      else if (kind.form == Node::Form::map) add("mesh", kind.key);
    }
  add("materials", described_list(run.find("materials"), [](const Node& m) { return m.key + ": " + scalar(m, "model"); }));
  add("boundary", described_list(run.find("boundary"), of_record));
  add("loads", described_list(run.find("loads"), of_record));
  add("cases", described_list(run.find("cases"), [](const Node& c) { return c.key; }));
  add("designed", described_list(run.find("design"), of_entry));
  add("objective", described_list(run.find("objective"), of_term));
  add("constraints", described_list(run.find("constraints"), of_term));
  page.definitions(facts);
}

void add_quantities(const RunRecords& run, HtmlPage& page) {
  std::vector<std::vector<std::string>> rows;
  for (const char* group : {"quantities", "probes"})
    if (run.results.contains(group))
      for (const auto& [name, value] : run.results[group].items()) {
        std::string interval;
        const char* const intervals = group == std::string("probes") ? "probe_intervals" : "intervals";
        if (run.results.contains(intervals) && run.results[intervals].contains(name)) {
          const ordered_json& i = run.results[intervals][name];
          interval = i.contains("reason") ? shown(i.at("reason")) : shown(i.at("lower_95")) + " to " + shown(i.at("upper_95"));
        }
        rows.push_back({name, shown(value), interval});
      }
  std::vector<std::vector<std::string>> constraints;
  if (run.results.contains("constraints"))
    for (const auto& [name, c] : run.results["constraints"].items()) constraints.push_back({name, shown(c.at("value")), shown(c.at("violation"))});
  if (rows.empty() && constraints.empty()) return;
  page.section("Quantities");
  std::vector<HtmlPage::Column> columns = {{"quantity"}, {"value", true}, {"95 % interval", true}};
  if (std::ranges::all_of(rows, [](const auto& row) { return row[2].empty(); })) columns.pop_back();
  if (!rows.empty()) page.table("Values at the end", columns, rows);
  if (!constraints.empty()) page.table("Constraints", {{"constraint"}, {"value", true}, {"violation", true}}, constraints);
}

}  // namespace invar
