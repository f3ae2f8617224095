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
  // Of a statistic there is the signal that it is made of.
  const std::string statistic = run.asked("output.quantities." + name + ".statistic");
  if (!curve.is_fit() && !statistic.empty() && statistic != "value") curve.label = "signal of " + name;
  return curve;
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
  // Fits first: they are what the run was about.
  std::ranges::stable_partition(curves, [](const auto& c) { return c.first.is_fit(); });
  page.section("Curves");
  for (const auto& [curve, text] : curves) {
    page.subsection(curve.name);
    page.chart(curve_chart(curve), words_on(curve), curve.name + ".csv", text);
    if (!curve.is_fit()) continue;
    const Chart residuals = residual_chart(curve);
    page.chart(residuals, "Residuals: scatter without a pattern is noise, a pattern is a model that misses something.", curve.name + "_residuals.csv",
               csv_text({"t", "difference"}, {residuals.series[0].x, residuals.series[0].y}));
  }
}

}  // namespace invar
