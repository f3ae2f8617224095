#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

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

/// Of a correlation.
std::string rounded(double r) {
  if (!std::isfinite(r)) return "–";
  char text[16];
  std::snprintf(text, sizeof text, "%.3f", r);
  return text;
}

double number_or(const std::string& text, double otherwise) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return text.empty() || *end ? otherwise : value;
}

/// Interrupts a curve between stages, whose objectives differ. A stage begins at the last iteration of the previous one.
void break_at_stages(Chart::Series& s) {
  for (std::size_t i = 1; i < s.x.size(); ++i)
    if (s.x[i] == s.x[i - 1]) {
      s.x.insert(s.x.begin() + static_cast<std::ptrdiff_t>(i), s.x[i]);
      s.y.insert(s.y.begin() + static_cast<std::ptrdiff_t>(i++), std::nan(""));
    }
}

/// All pairs as a triangle where it fits on a page, else those that are strong.
void add_correlations(const nlohmann::ordered_json& fit, const nlohmann::ordered_json& pairs, HtmlPage& page) {
  constexpr std::size_t most = 8;
  std::vector<std::string> names;
  for (const auto& [name, value] : fit.items()) names.push_back(name);
  const auto pair = [&](const std::string& a, const std::string& b) {
    for (const auto& [first, second] : {std::pair{a, b}, std::pair{b, a}})
      if (pairs.contains(first) && pairs[first].contains(second) && pairs[first][second].is_number()) return pairs[first][second].get<double>();
    return std::nan("");
  };
  std::vector<std::vector<std::string>> rows;
  if (names.size() >= 2 && names.size() <= most) {
    std::vector<HtmlPage::Column> columns = {{"variable"}};
    for (std::size_t i = 0; i + 1 < names.size(); ++i) columns.push_back({names[i], true});
    for (std::size_t i = 1; i < names.size(); ++i) {
      rows.push_back({names[i]});
      for (std::size_t j = 0; j + 1 < names.size(); ++j) rows.back().push_back(j < i ? rounded(pair(names[i], names[j])) : "");
    }
    return page.table("Correlations of the fitted variables: values near 1 or −1 mean that the data determine only a combination of the two", columns, rows);
  }
  for (const auto& [a, others] : pairs.items())
    for (const auto& [b, r] : others.items())
      if (r.is_number() && std::abs(r.get<double>()) > 0.9) rows.push_back({a, b, rounded(r.get<double>())});
  if (!rows.empty()) page.table("Correlations above 0.9: the data determine mainly combinations of these variables", {{"variable"}, {"with"}, {"correlation", true}}, rows);
}

/// A constraint's value at accepted iterates, with its limits.
void add_constraint(const RunRecords& run, const std::string& column, const std::vector<double>& iteration, HtmlPage& page) {
  const std::string name = column.substr(std::string("constraints.").size());
  const std::vector<double>& y = *run.history.find(column);
  if (std::ranges::none_of(y, [](double v) { return std::isfinite(v); })) return;
  Chart chart;
  chart.title = "Constraint " + name + " at accepted iterates";
  chart.description = name + " from " + shown(y.front()) + " to " + shown(y.back()) + ".";
  chart.x_label = "iteration";
  chart.y_label = name;
  chart.height = 240;
  chart.series.push_back({name, iteration, y, false});
  break_at_stages(chart.series.back());
  if (run.results.contains("constraints") && run.results["constraints"].contains(name))
    for (const char* end : {"lower", "upper"}) {
      const nlohmann::ordered_json& limits = run.results["constraints"][name];
      if (!limits.contains(end) || !limits[end].is_number()) continue;
      const double limit = limits[end].get<double>();
      if (chart.series.size() == 2 && limit == chart.series[1].y[0]) continue;  // an equation
      chart.series.push_back({std::string(end) + " limit", {iteration.front(), iteration.back()}, {limit, limit}, false});
      chart.description += ' ' + std::string(end) + " limit " + shown(limit) + '.';
    }
  page.chart(chart, "Constraint " + name + " at accepted iterates.", name + ".csv", csv_text({"iteration", name}, {iteration, y}));
}

}  // namespace

void add_search(const RunRecords& run, HtmlPage& page) {
  const std::vector<double>* iteration = run.history.find("iteration");
  if (!iteration || iteration->empty()) return;
  page.section("Search");
  const auto draw = [&](const char* column, const std::string& title, const std::string& label, bool log, double least = -HUGE_VAL) {
    const std::vector<double>* y = run.history.find(column);
    if (!y) return;
    std::vector<double> drawn = *y;
    for (double& v : drawn) v = v < least ? least : v;
    Chart chart;
    chart.title = title;
    chart.description = label + " from " + shown(y->front()) + " at iteration 0 to " + shown(y->back()) + " at iteration " + shown(iteration->back()) + ".";
    chart.x_label = "iteration";
    chart.y_label = label;
    chart.log_y = log || wants_log(*y);
    chart.height = 240;
    chart.series.push_back({label, *iteration, std::move(drawn), false});
    break_at_stages(chart.series.back());
    page.chart(chart, title + ".", std::string(column) + ".csv", csv_text({"iteration", column}, {*iteration, *y}));
  };
  draw("objective", "The objective at accepted iterates", "objective", false);
  draw("relative_gradient", "Optimality: the projected gradient relative to the start", "relative gradient", true);
  // Violations below the tolerance are rounding errors, or none.
  const double allowed = number_or(run.asked("optimizer.constraint_tolerance"), 1e-6);
  if (const std::vector<double>* v = run.history.find("violation"); v && std::ranges::any_of(*v, [&](double x) { return x > allowed; }))
    draw("violation", "Violation of the constraints, in their scales; less than the tolerance is drawn as " + shown(allowed), "violation", true, allowed);
  constexpr int most = 6;
  int drawn = 0;
  for (const std::string& column : run.history.columns)
    if (column.starts_with("constraints.") && ++drawn <= most) add_constraint(run, column, *iteration, page);
  if (drawn > most) page.paragraph("The first " + std::to_string(most) + " of " + std::to_string(drawn) + " constraints; all are in history.csv.");
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
      if (png.size() > budget) return page.paragraph(of.filename().string() + " is too large for this page; it is in the run's folder.");
      budget -= png.size();
      pair.push_back({png, "Picture of " + name + " " + when + ", rendered from the fields of the run", name + ", " + when});
    };
    const std::filesystem::path before = file.parent_path() / (name + "_start.png");
    if (std::filesystem::exists(before)) add(before, "at the start");
    add(file, "at the end");
    if (!pair.empty()) page.pictures(pair);
  }
}

/// How the errors of each term's data depend on each other.
void add_noise(const nlohmann::ordered_json& noise, HtmlPage& page) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, of] : noise.items()) {
    const auto along = [&](const char* key) {
      if (!of.contains(key)) return std::string("–");
      return of[key].contains("length") ? shown(of[key]["length"]) + ", share " + shown(of[key]["share"]) : "any, share " + shown(of[key]["share"]);
    };
    rows.push_back({name, shown(of.at("data")), shown(of.at("effective_data")), along("space"), along("time"), of.contains("doubt") ? "cannot be told: " + shown(of["doubt"]) : of.contains("space") || of.contains("time") ? "correlated" : "none found"});
  }
  if (!rows.empty()) page.table("Correlation of the noise, by the residuals: lengths over which it falls to 1/e", {{"data"}, {"values", true}, {"as independent ones", true}, {"over places, m", true}, {"along t", true}, {"correlation"}}, rows);
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
    rows.push_back({name, start && !start->empty() ? shown(start->front()) : "–", shown(p.at("value")), has ? shown(p.at("standard_error")) : "–",
                    has ? shown(p.at("lower_95")) + " to " + shown(p.at("upper_95")) : "–", remark});
  }
  const std::vector<HtmlPage::Column> columns = {{"variable"}, {"start", true}, {"value", true}, {"standard error", true}, {"95 % interval", true}, {""}};
  if (!intervals) for (auto& row : rows) row.resize(3);
  page.table("Values in the units of the spec", intervals ? columns : std::vector<HtmlPage::Column>(columns.begin(), columns.begin() + 3), rows);
  if (run.results["fit"].size() > most) page.paragraph("The first " + std::to_string(most) + " of " + std::to_string(run.results["fit"].size()) + "; all are in results.json.");
  if (!run.results.contains("inference")) return;
  const auto& inference = run.results["inference"];
  page.subsection("Identifiability");
  if (inference.contains("chi_squared") && inference.contains("degrees_of_freedom"))
    page.paragraph("χ² is " + shown(inference["chi_squared"]) + " for " + shown(inference["degrees_of_freedom"]) + " degrees of freedom; the noise is " +
                   shown(inference.value("noise", nlohmann::ordered_json())) + ". " +
                   (inference.value("all_identifiable", 0) ? "All variables are identifiable from these data." : "Not all variables are identifiable from these data."));
  if (inference.contains("noise_correlation")) add_noise(inference["noise_correlation"], page);
  if (inference.contains("correlations")) add_correlations(run.results["fit"], inference["correlations"], page);
  if (inference.contains("findings"))
    for (const auto& finding : inference["findings"]) page.paragraph(shown(finding));
}

}  // namespace invar
