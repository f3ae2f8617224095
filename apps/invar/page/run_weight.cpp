#include <cmath>

#include "apps/invar/page/l_curve.hpp"
#include "apps/invar/page/run_sections.hpp"
#include "apps/invar/report/csv.hpp"

namespace invar {
namespace {

double weight_number(const nlohmann::ordered_json& j, const char* key) { return j.contains(key) && j[key].is_number() ? j[key].get<double>() : std::nan(""); }

}  // namespace

LCurve l_curve_in(const nlohmann::ordered_json& weight) {
  LCurve curve{{}, {}, {}, weight_number(weight, "value"), weight_number(weight, "corner"), weight.at("of").get<std::string>()};
  for (const nlohmann::ordered_json& t : weight.at("trials")) {
    if (t.contains("rejected")) continue;
    curve.weight.push_back(t.at("weight").get<double>());
    curve.misfit.push_back(weight_number(t, "chi_squared"));
    curve.penalty.push_back(weight_number(t, "penalty"));
  }
  return curve;
}

void add_weight(const RunRecords& run, HtmlPage& page) {
  if (!run.results.contains("weight") || !run.results["weight"].is_object()) return;
  const nlohmann::ordered_json& weight = run.results["weight"];
  page.section("Weight of the regularisation");
  const bool found = weight.at("found") == 1;
  page.verdict(found ? HtmlPage::Verdict::good : HtmlPage::Verdict::bad, found ? "Found." : "Not found.",
               "The weight of '" + shown(weight.at("of")) + "' by " + shown(weight.at("by")) + " is " + shown(weight.at("value")) + ": " + shown(weight.at("reason")) + ".");
  if (weight.contains("deviation")) page.paragraph("With it the prior has the standard deviation " + shown(weight["deviation"]) + ".");
  page.table("Weights that each rule would choose, by all weights tried", {{"rule"}, {"weight", true}},
             {{"evidence", shown(weight.at("by_evidence"))}, {"discrepancy", shown(weight.at("by_discrepancy"))}, {"corner of the L-curve", shown(weight.at("corner"))}});
  const LCurve curve = l_curve_in(weight);
  if (curve.weight.size() >= 2) {
    const Chart chart = l_curve_chart(curve);
    page.chart(chart, "L-curve: misfit and penalty of the weights tried. " + chart.description, "l_curve.csv", csv_text({"weight", "chi_squared", "penalty"}, {curve.weight, curve.misfit, curve.penalty}));
  }
  std::vector<std::vector<std::string>> rows;
  for (const nlohmann::ordered_json& t : weight.at("trials")) {
    const auto cell = [&](const char* key) { return shown(weight_number(t, key)); };
    std::string remark = t.contains("rejected") ? "rejected: " + shown(t["rejected"]) : t.at("weight") == weight.at("value") ? "chosen" : t.at("converged") == false ? "not converged" : "";
    rows.push_back({cell("weight"), cell("chi_squared"), cell("penalty"), cell("resolved_directions"), cell("negative_log_evidence"), std::move(remark)});
  }
  page.table("Weights tried: misfit and penalty at the minimum", {{"weight", true}, {"χ²", true}, {"penalty", true}, {"resolved directions", true}, {"−ln evidence", true}, {""}}, rows);
}

}  // namespace invar
