#include <algorithm>
#include <cmath>
#include <map>

#include "apps/invar/page/run_sections.hpp"
#include "apps/invar/report/csv.hpp"

namespace invar {
namespace {

/// Whether a series is positive and spans more than a decade and a half.
bool wants_log(const std::vector<double>& y) {
  double low = INFINITY, high = 0;
  for (const double v : y)
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  return low > 0 && high > 30 * low;
}

bool any_positive(const std::vector<double>& y) {
  return std::ranges::any_of(y, [](double v) { return v > 0; });
}

}  // namespace

void add_search(const RunRecords& run, HtmlPage& page) {
  const std::vector<double>* iteration = run.history.find("iteration");
  if (!iteration || iteration->empty()) return;
  page.section("Search");
  const auto draw = [&](const char* column, const std::string& title, const std::string& label, bool log) {
    const std::vector<double>* y = run.history.find(column);
    if (!y || (log && !any_positive(*y))) return;
    Chart chart;
    chart.title = title;
    chart.description = label + " from " + shown(y->front()) + " at iteration 0 to " + shown(y->back()) + " at iteration " + shown(iteration->back()) + ".";
    chart.x_label = "iteration";
    chart.y_label = label;
    chart.log_y = log || wants_log(*y);
    chart.height = 240;
    chart.series.push_back({label, *iteration, *y, false});
    page.chart(chart, title + ".", std::string(column) + ".csv", csv_text({"iteration", column}, {*iteration, *y}));
  };
  draw("objective", "The objective at accepted iterates", "objective", false);
  draw("relative_gradient", "Optimality: the projected gradient relative to the start", "relative gradient", true);
  if (const std::vector<double>* v = run.history.find("violation"); v && any_positive(*v))
    draw("violation", "Violation of the constraints, in their scales", "violation", true);
}

void add_pictures(const RunRecords& run, HtmlPage& page) {
  std::vector<std::filesystem::path> files = files_in(run.folder / "pictures", ".png");
  if (files.empty()) return;
  page.section("Pictures");
  std::uintmax_t budget = 3u << 20;
  for (const std::filesystem::path& file : files) {
    const std::string name = file.stem().string();
    if (name.ends_with("_start")) continue;
    std::vector<HtmlPage::Picture> pair;
    const auto add = [&](const std::filesystem::path& of, const std::string& when) {
      const std::string png = text_of(of);
      if (png.empty()) return;
      if (png.size() > budget) return page.paragraph(of.filename().string() + " is too large for this page; it lies in the run's folder.");
      budget -= png.size();
      pair.push_back({png, "Picture of " + name + " " + when + ", rendered from the fields of the run", name + ", " + when});
    };
    const std::filesystem::path before = file.parent_path() / (name + "_start.png");
    if (std::filesystem::exists(before)) add(before, "at the start");
    add(file, "at the end");
    if (!pair.empty()) page.pictures(pair);
  }
}

void add_curves(const RunRecords& run, HtmlPage& page) {
  const std::vector<std::filesystem::path> files = files_in(run.folder / "curves", ".csv");
  if (files.empty()) return;
  page.section("Curves");
  for (const std::filesystem::path& file : files) {
    const NumberTable table = numbers_in(file);
    const std::string name = file.stem().string();
    const std::vector<double>*t = table.find("t"), *model = table.find("model"), *measured = table.find("measured"), *value = table.find("value");
    if (!t || t->empty() || (!model && !value)) continue;
    page.subsection(name);
    Chart chart;
    chart.x_label = "t";
    chart.y_label = name;
    if (model && measured) {
      double worst = 0, squares = 0;
      int known = 0;
      for (std::size_t i = 0; i < t->size(); ++i) {
        const double d = (*model)[i] - (*measured)[i];
        if (!std::isfinite(d)) continue;
        ++known;
        worst = std::max(worst, std::abs(d));
        squares += d * d;
      }
      const std::string misfit = "Root mean square of " + std::to_string(known) + " differences " +
                                 shown(known ? std::sqrt(squares / known) : std::nan("")) + ", largest " + shown(worst) + ".";
      chart.title = name + ": measured and computed";
      chart.description = std::to_string(known) + " measured values and the model's. " + misfit;
      chart.series.push_back({"model", *t, *model, false});
      chart.series.push_back({"measured", *t, *measured, true});
      page.chart(chart, misfit, name + ".csv", table.text);
      Chart residuals;
      residuals.title = name + ": residuals";
      residuals.description = "Model less measured values. " + misfit;
      residuals.x_label = "t";
      residuals.y_label = "model − measured";
      residuals.zero_line = true;
      residuals.height = 190;
      std::vector<double> difference;
      for (std::size_t i = 0; i < t->size(); ++i) difference.push_back((*model)[i] - (*measured)[i]);
      residuals.series.push_back({"difference", *t, difference, true});
      page.chart(residuals, "Residuals: scatter without a pattern is noise, a pattern is a model that misses something.", name + "_residuals.csv",
                 csv_text({"t", "difference"}, {*t, difference}));
      continue;
    }
    const std::vector<double>& y = value ? *value : *model;
    chart.title = name + " along t";
    chart.description = name + " from " + shown(y.front()) + " to " + shown(y.back()) + ".";
    chart.series.push_back({name, *t, y, false});
    page.chart(chart, "Along load steps or time.", name + ".csv", table.text);
  }
}

void add_parameters(const RunRecords& run, HtmlPage& page) {
  if (!run.results.contains("fit") || run.results["fit"].empty()) return;
  page.section("Design variables");
  std::vector<std::vector<std::string>> rows;
  bool intervals = false;
  constexpr std::size_t most = 60;
  for (const auto& [name, p] : run.results["fit"].items()) {
    if (rows.size() == most) break;
    std::string remark = p.contains("identifiable") && !p["identifiable"].get<bool>() ? "not identifiable" : "";
    if (p.contains("at_bound") && p["at_bound"].get<bool>()) remark += std::string(remark.empty() ? "" : ", ") + "at a bound";
    const bool has = p.contains("lower_95");
    intervals |= has;
    const std::vector<double>* start = run.history.find(name);
    rows.push_back({name, start && !start->empty() ? shown(start->front()) : "–", shown(p["value"]), has ? shown(p["standard_error"]) : "–",
                    has ? shown(p["lower_95"]) + " to " + shown(p["upper_95"]) : "–", remark});
  }
  const std::vector<HtmlPage::Column> columns = {{"variable"}, {"start", true}, {"value", true}, {"standard error", true}, {"95 % interval", true}, {""}};
  if (!intervals) for (auto& row : rows) row.resize(3);
  page.table("Values in the units of the spec", intervals ? columns : std::vector<HtmlPage::Column>(columns.begin(), columns.begin() + 3), rows);
  if (run.results["fit"].size() > most) page.paragraph("The first " + std::to_string(most) + " of " + std::to_string(run.results["fit"].size()) + "; all are in results.json.");
  if (!run.results.contains("inference")) return;
  const auto& inference = run.results["inference"];
  page.subsection("What the data can tell");
  if (inference.contains("chi_squared") && inference.contains("degrees_of_freedom"))
    page.paragraph("χ² is " + shown(inference["chi_squared"]) + " for " + shown(inference["degrees_of_freedom"]) + " degrees of freedom; the noise is " +
                   shown(inference.value("noise", nlohmann::ordered_json())) + ". " +
                   (inference.value("all_identifiable", 0) ? "All variables are identifiable from these data." : "Not all variables are identifiable from these data."));
  std::vector<std::vector<std::string>> strong;
  if (inference.contains("correlations"))
    for (const auto& [a, others] : inference["correlations"].items())
      for (const auto& [b, r] : others.items())
        if (r.is_number() && std::abs(r.get<double>()) > 0.9) strong.push_back({a, b, shown(r)});
  if (!strong.empty()) page.table("Correlations above 0.9: these move together along what the data leave open", {{"variable"}, {"with"}, {"correlation", true}}, strong);
  if (inference.contains("findings"))
    for (const auto& finding : inference["findings"]) page.paragraph(shown(finding));
}

}  // namespace invar
