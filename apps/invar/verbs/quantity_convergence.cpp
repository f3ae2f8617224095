#include "apps/invar/verbs/quantity_convergence.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "apps/invar/problem/refined_setting.hpp"
#include "apps/invar/spec/spec_error.hpp"
#include "apps/invar/verbs/quantity_value.hpp"
#include "apps/invar/verbs/results.hpp"
#include "apps/invar/verbs/run_messages.hpp"
#include "apps/invar/verbs/one_line.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libadjoint/verify/grid_convergence.hpp"

namespace invar {
namespace {

using nlohmann::ordered_json;
/// A number of results.json that is compared: "objective", or one of the sections "quantities" and "probes".
struct Compared {
  std::string section, name;  // no section: the objective
  std::vector<double> values;
  std::string label() const { return section.empty() ? name : section == "probes" ? "probes." + name : name; }
};

/// Of the run. What has no value there is left out.
std::vector<Compared> compared_in(const ordered_json& results) {
  std::vector<Compared> all;
  const auto add = [&](const std::string& section, const std::string& name, const ordered_json& value) {
    if (value.is_number() && std::isfinite(value.get<double>())) all.push_back({section, name, {value.get<double>()}});
  };
  if (results.contains("objective")) add("", "objective", results["objective"]);
  for (const char* section : {"quantities", "probes"})
    if (results.contains(section))
      for (const auto& [name, value] : results[section].items()) add(section, name, value);
  return all;
}

double value_in(Problem& problem, const Compared& number) {
  if (number.section.empty()) return problem.functional->value({}).value;
  for (const Quantity& q : number.section == "quantities" ? problem.quantities : problem.probes)
    if (q.name == number.name) return value_of(problem, q);
  return NAN;
}

/// formal: order of the method that is refined; 0: the setting is no refinement by halves. Numbers that are not known are NaN, null in the file.
ordered_json entry_of(const std::vector<double>& values, double formal) {
  ordered_json entry = {{"values", values}};
  const double first = values.front(), last = values.back();
  entry["change"] = first != 0 ? (last - first) / std::abs(first) : last == 0 ? 0 : NAN;
  if (formal <= 0 || !std::ranges::all_of(values, [](double v) { return std::isfinite(v); })) return entry;
  const GridConvergence c = grid_convergence(values, 2, formal);
  entry["order"] = c.order;
  entry["extrapolated"] = c.limit;
  entry["gci"] = c.gci;
  entry["gci_of_run"] = c.gci_of_run;
  return entry;
}

}  // namespace

QuantityConvergence::QuantityConvergence(Session& session, const ordered_json& results) : session_(session), results_(results) {}

ordered_json QuantityConvergence::find() {
  ordered_json all;
  for (const std::string& kind : verified_kinds(session_.problem().spec)) {
    all[kind] = in_setting(kind);
    if (session_.interrupted()) return {};
    complete_ &= !all[kind].contains("reason");
    show(kind, all[kind]);
  }
  return all;
}

ordered_json QuantityConvergence::in_setting(const std::string& kind) {
  Problem& problem = session_.problem();
  std::vector<Compared> compared = compared_in(results_);
  double formal = 0;
  const int levels = levels_of(problem.spec, kind);
  for (int level = 1; level <= levels; ++level) {
    const RefinedSetting setting = refined_setting(problem, kind, level);
    formal = setting.formal_order;
    session_.console().line("      refine: " + kind + (levels > 1 ? ", level " + std::to_string(level) : ""), Verbosity::verbose);
    try {
      Problem fine = build_problem(session_.path() / "resolved.yaml", setting.sets, PETSC_COMM_WORLD);
      show_solves(fine, session_.console(), &session_.interruption());
      if (const Evaluation e = fine.functional->solve({}); !e.ok) return {{"reason", "not solved: " + e.reason}};
      for (Compared& number : compared) number.values.push_back(value_in(fine, number));
      write_fields(fine, session_.path() / "verify" / (kind + (level == 1 ? "" : "_" + std::to_string(level))));
    } catch (const SpecError& e) {
      return {{"reason", "cannot tell, because the problem cannot be built with this setting: " + in_one_line(e.what())}};
    } catch (const std::invalid_argument& e) {
      return {{"reason", std::string("cannot tell, because ") + e.what()}};
    }
  }
  ordered_json found;
  if (formal > 0) found["formal_order"] = formal;
  for (const Compared& number : compared) (number.section.empty() ? found[number.name] : found[number.section][number.name]) = entry_of(number.values, formal);
  return found;
}

void QuantityConvergence::show(const std::string& kind, const ordered_json& found) {
  Console& console = session_.console();
  console.line("");
  if (found.contains("reason")) return console.warning("refinement by '" + kind + "': " + found["reason"].get<std::string>());
  const bool halved = found.contains("formal_order");
  const int levels = levels_of(session_.problem().spec, kind);
  console.line("  the same with another setting, '" + kind + "'" + (halved ? ", of a method of order " + short_number(found["formal_order"].get<double>(), 2) + ":" : ":"));
  std::vector<Console::Column> columns = {{"quantity", 20, 0}, {"run", 14, 8}};
  for (int level = 1; level <= levels; ++level) columns.push_back({levels > 1 ? "level " + std::to_string(level) : kind, 14, 8});
  columns.push_back({"change %", 9, 3});
  if (halved && levels > 1) columns.push_back({"order", 6, 3});
  if (halved) columns.insert(columns.end(), {{"extrapolated", 14, 8}, {"GCI of run %", 12, 3}});
  console.table(columns);
  const auto cell = [](const ordered_json& value, double unit = 1) {
    return value.is_number() && std::isfinite(value.get<double>()) ? Console::Cell(unit * value.get<double>()) : Console::Cell();
  };
  for (const Compared& number : compared_in(results_)) {
    const ordered_json& entry = number.section.empty() ? found[number.name] : found[number.section][number.name];
    std::vector<Console::Cell> row = {number.label()};
    for (const ordered_json& v : entry["values"]) row.push_back(cell(v));
    row.push_back(cell(entry["change"], 100));
    if (halved && levels > 1) row.push_back(cell(entry.value("order", ordered_json())));
    if (halved) row.push_back(cell(entry.value("extrapolated", ordered_json()))), row.push_back(cell(entry.value("gci_of_run", ordered_json()), 100));
    console.row(row);
  }
}

}  // namespace invar
