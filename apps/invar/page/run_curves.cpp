#include <algorithm>
#include <cmath>

#include "apps/invar/chart/curve_chart.hpp"
#include "apps/invar/page/run_sections.hpp"
#include "apps/invar/report/csv.hpp"

namespace invar {
namespace {

RunCurve curve_in(const RunRecords& run, const NumberTable& table, const std::string& name) {
  const auto column = [&](const char* of) {
    const std::vector<double>* found = table.find(of);
    return found ? *found : std::vector<double>();
  };
  RunCurve curve{name, column("t"), column("model"), column("measured"), column("lower_95"), column("upper_95"),
                 column("measured_lower_95"), column("measured_upper_95")};
  if (curve.value.empty()) curve.value = column("value");
  // A band has two ends.
  if (curve.upper.empty()) curve.lower.clear();
  if (curve.measured_upper.empty()) curve.measured_lower.clear();
  if (const std::string scheme = run.asked("time.scheme"); !scheme.empty() && scheme != "static") curve.along = "time t";
  // A statistic is shown by its signal.
  const std::string statistic = run.asked("output.quantities." + name + ".statistic");
  if (!curve.is_fit() && !statistic.empty() && statistic != "value") curve.label = "signal of " + name;
  if (run.results.contains("held_out") && run.results["held_out"].contains(name)) curve.widening = run.results["held_out"][name].value("widening", 1.0);
  return curve;
}

std::string range_text(const std::vector<double>& lower, const std::vector<double>& upper) {
  return lower.empty() || !std::isfinite(lower[0]) ? "" : shown(lower[0]) + " to " + shown(upper[0]);
}

/// Data at a single time, which are no curves.
void add_single_values(const std::vector<RunCurve>& fits, HtmlPage& page) {
  std::vector<std::vector<std::string>> rows;
  for (const RunCurve& f : fits)
    rows.push_back({f.name, shown(f.t[0]), shown(f.measured[0]), shown(f.value[0]), shown(f.value[0] - f.measured[0]), range_text(f.lower, f.upper),
                    range_text(f.measured_lower, f.measured_upper)});
  if (rows.empty()) return;
  page.subsection("Single values");
  page.table("Measured and computed values, each at a single " + fits[0].along,
             {{"value of"}, {"t", true}, {"measured", true}, {"model", true}, {"difference", true}, {"95 % interval of the model", true}, {"95 % of new measurements", true}}, rows);
}

}  // namespace

void add_curves(const RunRecords& run, HtmlPage& page) {
  std::vector<std::pair<RunCurve, std::string>> curves;  // with the text of the file
  for (const std::filesystem::path& file : files_in(run.folder / "curves", ".csv")) {
    const NumberTable table = numbers_in(file);
    RunCurve curve = curve_in(run, table, file.stem().string());
    if (!curve.t.empty() && !curve.value.empty()) curves.emplace_back(std::move(curve), table.text);
  }
  if (curves.empty()) return;
  // Fits first: they are the subject of the run.
  std::ranges::stable_partition(curves, [](const auto& c) { return c.first.is_fit(); });
  page.section("Curves");
  std::vector<RunCurve> single;
  for (const auto& [curve, text] : curves) {
    if (curve.is_fit() && curve.t.size() == 1) {
      single.push_back(curve);
      continue;
    }
    page.subsection(curve.name);
    page.chart(curve_chart(curve), words_on(curve), curve.name + ".csv", text);
    if (!curve.is_fit()) continue;
    const Chart residuals = residual_chart(curve);
    page.chart(residuals, "Residuals: random scatter indicates noise, a pattern an error of the model.", curve.name + "_residuals.csv",
               csv_text({"t", "difference"}, {residuals.series[0].x, residuals.series[0].y}));
  }
  add_single_values(single, page);
}

}  // namespace invar
