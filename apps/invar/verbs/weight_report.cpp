#include "apps/invar/verbs/weight_report.hpp"

#include <cmath>

#include "apps/invar/problem/weight_spec.hpp"
#include "apps/invar/page/l_curve.hpp"
#include "apps/invar/report/csv.hpp"
#include "libadjoint/solve/scientific.hpp"

namespace invar {
namespace {

using nlohmann::ordered_json;

/// null for what is not known.
ordered_json known(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(); }

std::string word(WeightRule rule) {
  return rule == WeightRule::evidence ? "evidence" : rule == WeightRule::discrepancy ? "discrepancy" : "given";
}

}  // namespace

ordered_json weight_json(const Problem& problem) {
  if (!problem.weight || problem.weight->search.trials().empty()) return {};
  const SoughtWeight& sought = *problem.weight;
  const WeightSearch& search = sought.search;
  ordered_json j = {{"of", sought.of}, {"by", word(search.options().rule)}, {"value", sought.regularisation.weight()}, {"found", search.settled() ? 1 : 0}, {"reason", search.reason()}};
  if (sought.deviation > 0) j["deviation"] = sought.deviation / std::sqrt(sought.regularisation.weight());
  if (search.options().data > 0) j["data"] = search.options().data;
  j["by_evidence"] = known(search.by_evidence());
  j["by_discrepancy"] = known(search.by_discrepancy());
  j["corner"] = known(search.corner());
  j["trials"] = ordered_json::array();
  for (const WeightTrial& t : search.trials()) {
    ordered_json& of = j["trials"].emplace_back(ordered_json{{"weight", t.weight}});
    if (!t.ok()) of["rejected"] = t.rejected;
    if (!t.ok()) continue;
    of["chi_squared"] = t.chi_squared;
    of["penalty"] = t.penalty;
    if (t.has_evidence()) of["resolved_directions"] = t.resolved_directions, of["negative_log_evidence"] = t.negative_log_evidence;
    of["converged"] = t.converged;
  }
  return j;
}

void say_weight(const ordered_json& weight, Console& console) {
  if (weight.is_null()) return;
  const auto number = [](const ordered_json& j, const char* key) { return j.contains(key) && j[key].is_number() ? j[key].get<double>() : std::nan(""); };
  console.line("");
  console.line("  weight of '" + weight["of"].get<std::string>() + "' by " + weight["by"].get<std::string>() + ":");
  console.table({{"weight", 13, 5}, {"chi squared", 13, 5}, {"penalty", 13, 5}, {"resolved", 10, 4}, {"-ln evidence", 13, 7}, {"", 12}});
  const auto cell = [](double value) { return std::isfinite(value) ? Console::Cell(value) : Console::Cell(); };
  for (const ordered_json& t : weight["trials"])
    console.row({t["weight"].get<double>(), cell(number(t, "chi_squared")), cell(number(t, "penalty")), cell(number(t, "resolved_directions")), cell(number(t, "negative_log_evidence")),
                 std::string(t.contains("rejected") ? "rejected" : t["weight"] == weight["value"] ? "<- chosen" : t["converged"] == false ? "not converged" : "")});
  const auto would = [&](const char* key, const std::string& rule) {
    const double value = number(weight, key);
    return rule + (std::isfinite(value) ? " " + short_number(value, 4) : " not known");
  };
  console.line("  weights that each rule would choose: " + would("by_evidence", "evidence") + ", " + would("by_discrepancy", "discrepancy") + ", " + would("corner", "corner of the L-curve"));
  if (weight.contains("deviation"))
    console.line("  with the chosen weight the prior has the standard deviation " + short_number(weight["deviation"].get<double>(), 4));
  if (weight["found"] == 0) console.warning("no weight is found: " + weight["reason"].get<std::string>());
}

void write_l_curve(const ordered_json& weight, const RunFolder& folder) {
  if (weight.is_null()) return;
  const LCurve curve = l_curve_in(weight);
  if (curve.weight.size() < 2) return;
  folder.write("l_curve.csv", csv_text({"weight", "chi_squared", "penalty"}, {curve.weight, curve.misfit, curve.penalty}));
  folder.write("l_curve.svg", l_curve_chart(curve).document());
}

}  // namespace invar
