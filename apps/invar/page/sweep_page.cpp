#include "apps/invar/page/sweep_page.hpp"

#include <algorithm>
#include <cmath>

#include "apps/invar/batch/sweep_results.hpp"
#include "apps/invar/page/citations.hpp"
#include "apps/invar/page/html_page.hpp"
#include "apps/invar/page/run_records.hpp"
#include "apps/invar/report/csv.hpp"

namespace invar {
namespace {

using nlohmann::ordered_json;
using Row = SweepResults::Row;

double varied(const Row& row, const std::string& key) {
  return row.point.set.contains(key) && row.point.set[key].is_number() ? row.point.set[key].get<double>() : std::nan("");
}

double found(const Row& row, const std::string& column) {
  const auto at = row.numbers.find(column);
  return at == row.numbers.end() ? std::nan("") : at->second;
}

/// Whether values spread over decades.
bool over_decades(const std::vector<double>& values) {
  double low = INFINITY, high = 0;
  for (const double v : values)
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  return low > 0 && high > 30 * low;
}

/// "young 1e5, poisson 0.4" of a point.
std::string values_in(const ordered_json& set) {
  std::string text;
  for (const auto& [key, value] : set.items()) text += (text.empty() ? "" : ", ") + key + ' ' + (value.is_number() || value.is_string() ? shown(value) : value.dump());
  return text;
}

void add_states(const SweepResults& results, HtmlPage& page) {
  page.section("Runs");
  std::size_t done = 0, failed = 0;
  for (const Row& row : results.rows) done += row.state.kind == RunState::Kind::done, failed += row.state.kind == RunState::Kind::failed;
  const bool all = done == results.rows.size();
  page.verdict(all ? HtmlPage::Verdict::good : failed ? HtmlPage::Verdict::bad : HtmlPage::Verdict::neutral, all ? "All finished." : failed ? "Some failed." : "Not finished.",
               std::to_string(done) + " of " + std::to_string(results.rows.size()) + " runs are done, " + std::to_string(failed) + " failed.");
  std::vector<std::vector<std::string>> reasons;
  for (const Row& row : results.rows)
    if (row.state.kind == RunState::Kind::failed) reasons.push_back({row.point.name, values_in(row.point.set), row.state.reason});
  if (!reasons.empty()) page.table("Runs that failed", {{"run"}, {"values"}, {"reason"}}, reasons);
}

void add_pareto(const SweepResults& results, const ordered_json& pareto, HtmlPage& page) {
  std::vector<std::string> names;
  std::vector<HtmlPage::Column> columns = {{"run"}};
  for (const auto& [name, way] : results.sweep.pareto.items()) {
    names.push_back(name);
    columns.push_back({name + " (" + way.get<std::string>() + " wanted)", true});
  }
  std::vector<std::vector<std::string>> rows;
  std::vector<std::vector<double>> chosen(names.size());
  for (const ordered_json& p : pareto) {
    rows.push_back({p["name"].get<std::string>()});
    for (std::size_t k = 0; k < names.size(); ++k) {
      rows.back().push_back(shown(p[names[k]]));
      chosen[k].push_back(p[names[k]].is_number() ? p[names[k]].get<double>() : std::nan(""));
    }
  }
  page.subsection("Pareto set");
  if (names.size() == 2) {
    Chart chart;
    chart.title = names[1] + " against " + names[0] + " of all runs and of the Pareto set";
    chart.description = std::to_string(pareto.size()) + " runs that are not dominated.";
    chart.x_label = names[0];
    chart.y_label = names[1];
    Chart::Series all{"all runs", {}, {}, true};
    for (const Row& row : results.rows) all.x.push_back(found(row, names[0])), all.y.push_back(found(row, names[1]));
    chart.log_x = over_decades(all.x);
    chart.log_y = over_decades(all.y);
    chart.series = {all, {"Pareto set", chosen[0], chosen[1], true}};
    page.chart(chart, "Runs that are not dominated.", "pareto.csv", csv_text(names, chosen));
  }
  page.table("Runs that are not dominated in these quantities", columns, rows);
}

void add_summary(const SweepResults& results, const ordered_json& summary, HtmlPage& page) {
  if (!summary.contains("best") && !summary.contains("comparison") && !summary.contains("statistics") && !summary.contains("pareto") && !summary.contains("missing")) return;
  page.section("Summary");
  if (summary.contains("missing"))
    for (const ordered_json& name : summary["missing"]) page.paragraph("'" + shown(name) + "' does not occur in results.json of any run.");
  if (summary.contains("best"))
    page.paragraph("The smallest objective, " + shown(summary["best"]["objective"]) + ", is that of run " + shown(summary["best"]["name"]) + ": " +
                   values_in(summary["best"]["set"]) + ".");
  if (summary.contains("statistics")) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, s] : summary["statistics"].items()) {
      rows.push_back({name});
      for (const char* key : {"runs", "mean", "standard_deviation", "q05", "median", "q95"}) rows.back().push_back(shown(s[key]));
    }
    page.table("Statistics of the finished runs",
               {{"quantity"}, {"runs", true}, {"mean", true}, {"standard deviation", true}, {"5 %", true}, {"median", true}, {"95 %", true}}, rows);
  }
  if (summary.contains("sobol_indices"))
    for (const auto& [name, s] : summary["sobol_indices"].items()) {
      std::vector<std::vector<std::string>> rows;
      for (const auto& [input, first] : s["first"].items()) rows.push_back({input, shown(first), shown(s["first_error"][input]), shown(s["total"][input]), shown(s["total_error"][input])});
      page.table("Sobol indices of " + name + ": shares of its variance, from " + shown(s["samples"]) + " samples",
                 {{"input"}, {"first-order index", true}, {"±", true}, {"total index", true}, {"±", true}}, rows);
    }
  if (summary.contains("comparison") && summary["comparison"].contains("reason"))
    page.paragraph("The models are not compared: " + shown(summary["comparison"]["reason"]) + ".");
  else if (summary.contains("comparison")) {
    std::vector<std::vector<std::string>> rows;
    for (const ordered_json& m : summary["comparison"]["models"])
      rows.push_back({shown(m["name"]), values_in(m["set"]), shown(m["negative_log_evidence"]), shown(m["probability"]), shown(m["chi_squared_per_degree"]), m["describes_the_data"].get<bool>() ? "yes" : "no"});
    page.table("Models by evidence, the most probable first",
               {{"run"}, {"model"}, {"−ln evidence", true}, {"probability", true}, {"χ² per degree of freedom", true}, {"describes the data"}}, rows);
    if (const ordered_json noise = summary["comparison"].value("noise", ordered_json()); noise.is_object())
      page.paragraph("Errors of the data are correlated, by the residuals of " + shown(noise["of"]) + ", the closest fit: " + shown(noise["data"]) + " values count as " +
                     shown(noise["effective_data"]) + " independent ones, and differences of χ² as " + shown(noise["variance_inflation"]) + " times smaller.");
  }
  if (summary.contains("pareto")) add_pareto(results, summary["pareto"], page);
}

void add_charts(const SweepResults& results, HtmlPage& page) {
  if (results.columns.empty()) return;
  page.section("Results");
  constexpr int most = 12;
  int drawn = 0;
  for (const std::string& column : results.columns)
    for (const std::string& key : results.sweep.inputs) {
      std::vector<double> x, y;
      for (const Row& row : results.rows)
        if (const double a = varied(row, key), b = found(row, column); std::isfinite(a) && std::isfinite(b)) x.push_back(a), y.push_back(b);
      if (x.size() < 2 || ++drawn > most) continue;
      Chart chart;
      chart.title = column + " against " + key;
      const auto [low, high] = std::ranges::minmax(y);
      chart.description = std::to_string(x.size()) + " runs; " + column + " between " + shown(low) + " and " + shown(high) + ".";
      chart.x_label = key;
      chart.y_label = column;
      chart.log_x = over_decades(x);
      chart.log_y = over_decades(y);
      chart.height = 260;
      chart.series.push_back({column, x, y, true});
      page.chart(chart, column + " of each run.", column + "_" + key + ".csv", csv_text({key, column}, {x, y}));
    }
  if (drawn > most) page.paragraph("The first " + std::to_string(most) + " charts of " + std::to_string(drawn) + "; all numbers are in the table.");
}

void add_table(const SweepResults& results, HtmlPage& page) {
  page.section("All runs");
  std::vector<HtmlPage::Column> columns = {{"run"}};
  if (!results.of_one_sweep()) columns.push_back({"spec"});
  for (const std::string& key : results.sweep.inputs) columns.push_back({key, true});
  for (const std::string& column : results.columns) columns.push_back({column, true});
  columns.push_back({"state"});
  columns.push_back({"s", true});
  std::vector<std::vector<std::string>> rows;
  for (const Row& row : results.rows) {
    std::vector<std::string> cells = {row.point.name};
    if (!results.of_one_sweep()) cells.push_back(row.spec);
    for (const std::string& key : results.sweep.inputs)
      cells.push_back(!row.point.set.contains(key) ? "–" : row.point.set[key].is_number() ? shown(varied(row, key)) : row.point.set[key].dump());
    for (const std::string& column : results.columns) cells.push_back(shown(found(row, column)));
    cells.push_back(name_of(row.state.kind));
    cells.push_back(shown(row.state.seconds));
    rows.push_back(std::move(cells));
  }
  page.table("Values and results of each run", columns, rows);
}

}  // namespace

std::string sweep_page(const std::filesystem::path& folder) {
  const SweepResults results = SweepResults::read(folder);
  const ordered_json summary = results.summary();
  const char* source = "All numbers are from results.json of the runs. The page needs no network access.";
  const bool one = results.of_one_sweep();
  const std::string runs = "Report of " + std::to_string(results.rows.size()) + " runs";
  HtmlPage page = one ? HtmlPage("Sweep of " + std::filesystem::path(results.sweep.spec).filename().string(),
                                 runs + " of invar " + results.sweep.version + ", design " + results.sweep.design)
                      : HtmlPage("Runs in " + folder.string(), runs + " of several specs");
  add_states(results, page);
  if (one) add_summary(results, summary, page), add_charts(results, page);
  add_table(results, page);
  page.section("Methods");
  page.paragraph("The methods of each run are in its own report.");
  if (!one) return page.html(source);
  add_citations(citations_of_sweep(results.sweep.design, summary.contains("statistics")), results.sweep.version, page);
  page.section("To repeat it");
  std::string command = "invar";
  for (const std::string& word : results.sweep.command) command += ' ' + word;
  page.preformatted(command);
  return page.html(source);
}

}  // namespace invar
