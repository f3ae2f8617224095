#include "apps/invar/batch/sweep_results.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <span>

#include "apps/invar/batch/run_list.hpp"
#include "libadjoint/inference/model_evidence.hpp"
#include "libadjoint/number_text.hpp"
#include "libadjoint/sampling/sample_statistics.hpp"
#include "libadjoint/sampling/sobol_indices.hpp"

namespace invar {
namespace {

using nlohmann::ordered_json;
using Row = SweepResults::Row;

void flatten_numbers(const ordered_json& j, const std::string& path, std::map<std::string, double>& out) {
  if (j.is_number()) out[path] = j.get<double>();
  else if (j.is_boolean()) out[path] = j.get<bool>() ? 1 : 0;
  else if (j.is_object())
    for (const auto& [key, value] : j.items()) flatten_numbers(value, path.empty() ? key : path + "." + key, out);
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string csv_row(const std::vector<std::string>& cells) {
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) out += (i ? "," : "") + csv_cell(cells[i]);
  return out + '\n';
}

std::string cell_of(const ordered_json& value) { return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump(); }

bool is_done(const Row& row) { return row.state.kind == RunState::Kind::done; }

double number_of_result(const Row& row, const std::string& column) {
  const auto found = row.numbers.find(column);
  return is_done(row) && found != row.numbers.end() ? found->second : NAN;
}

bool is_drawn(const std::string& design) {
  return design == "random" || design == "latin_hypercube" || design == "sobol" || design == "sobol_indices" || design == "starts";
}

ordered_json statistics_json(const std::vector<double>& values) {
  const SampleStatistics s = statistics_of(values);
  return {{"runs", s.count}, {"mean", s.mean}, {"standard_deviation", s.standard_deviation}, {"q05", s.q05}, {"median", s.median}, {"q95", s.q95}};
}

ordered_json indices_json(const SweepResults& results, const std::string& column) {
  Eigen::VectorXd values(static_cast<Eigen::Index>(results.rows.size()));
  for (std::size_t i = 0; i < results.rows.size(); ++i) values(static_cast<Eigen::Index>(i)) = number_of_result(results.rows[i], column);
  const int inputs = static_cast<int>(results.sweep.inputs.size());
  const SobolIndices s = sobol_indices(values, inputs);
  ordered_json out = {{"samples", s.used}, {"variance", s.variance}};
  for (int k = 0; k < inputs; ++k) {
    out["first"][results.sweep.inputs[static_cast<std::size_t>(k)]] = s.first(k);
    out["total"][results.sweep.inputs[static_cast<std::size_t>(k)]] = s.total(k);
    out["first_error"][results.sweep.inputs[static_cast<std::size_t>(k)]] = s.first_error(k);
    out["total_error"][results.sweep.inputs[static_cast<std::size_t>(k)]] = s.total_error(k);
  }
  return out;
}

/// A number of the fit of fields with a prior, or else of the fit of numbers.
double number_of_fit(const Row& row, const std::string& key) {
  const double of_field = number_of_result(row, "posterior." + key);
  return std::isfinite(of_field) ? of_field : number_of_result(row, "inference." + key);
}

/// Of a run that fitted numbers. Results of version 0.1 have no variance inflation.
ModelFit model_fit_of(const Row& row) {
  const auto number = [&](const char* key) { return number_of_result(row, std::string("inference.") + key); };
  ModelFit fit{.chi_squared = number("chi_squared"), .data = static_cast<int>(number("data")), .known_noise = number("noise_known") != 0};
  fit.parameters = fit.data - static_cast<int>(number("degrees_of_freedom"));
  if (const double inflation = number("variance_inflation"); std::isfinite(inflation)) fit.variance_inflation = inflation, fit.effective_data = number("effective_data");
  return fit;
}

/// As results.json says.
FittedModel fitted_model(const Row& row) {
  FittedModel m{.name = row.point.name,
                .known_noise = number_of_result(row, "inference.noise_known") != 0,
                .of_field = std::isfinite(number_of_result(row, "posterior.negative_log_evidence")),
                .negative_log_evidence = number_of_fit(row, "negative_log_evidence"),
                .chi_squared = number_of_fit(row, "chi_squared"),
                .degrees_of_freedom = number_of_fit(row, "degrees_of_freedom"),
                .data = number_of_fit(row, "data"),
                .effective_data = number_of_fit(row, "effective_data"),
                .excess_variance = number_of_result(row, "posterior.noise_inflation")};
  if (const double of_weights = number_of_result(row, "posterior.negative_log_model_evidence"); std::isfinite(of_weights) && m.was_fitted()) m.negative_log_evidence = of_weights;
  if (!std::isfinite(m.excess_variance)) m.excess_variance = number_of_result(row, "inference.noise_variance");
  if (!m.of_field && m.was_fitted()) m.numbers = model_fit_of(row);
  return m;
}

/// The models, the most probable first; or the reason why they are not compared.
ordered_json models_json(const std::vector<Row>& rows) {
  std::vector<FittedModel> models;
  std::vector<const Sweep::Point*> points;
  for (const Row& row : rows)
    if (FittedModel m = fitted_model(row); m.was_fitted()) models.push_back(std::move(m)), points.push_back(&row.point);
  const ModelComparison compared = compare_models(models);
  if (!compared.reason.empty()) return {{"reason", compared.reason}};
  ordered_json out = {{"winner", models[compared.order[0]].name}};
  if (compared.noise_of) {
    const ModelFit& of = models[*compared.noise_of].numbers;
    out["noise"] = {{"of", models[*compared.noise_of].name}, {"variance_inflation", of.variance_inflation}, {"effective_data", of.effective_data}, {"data", of.data}};
  }
  for (const std::size_t i : compared.order)
    out["models"].push_back({{"name", models[i].name}, {"set", points[i]->set}, {"negative_log_evidence", compared.negative_log_evidence[i]}, {"probability", compared.probability[i]},
                             {"chi_squared_per_degree", models[i].misfit()}, {"describes_the_data", models[i].describes_the_data()}});
  return out;
}

void append_new(const std::string& name, std::vector<std::string>& names) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

/// sweep: the run's.
Row row_of(const ListedRun& run, const Sweep& sweep) {
  Row row{run.point, sweep.spec, RunState::of(run.folder), {}};
  row.point.name = run.name;
  if (run.sweep.empty()) {
    std::ifstream record(run.folder / "run.json");
    const ordered_json j = ordered_json::parse(record, nullptr, false);
    if (j.is_object()) row.spec = j.value("spec", "");
  }
  std::ifstream in(run.folder / "results.json");
  flatten_numbers(ordered_json::parse(in, nullptr, false), "", row.numbers);
  return row;
}

/// The numbers that a sweep reports of its runs.
void add_columns(const Sweep& sweep, std::span<const Row> rows, std::vector<std::string>& columns) {
  std::vector<std::string> fitted, quantities;
  bool has_objective = false;
  for (const Row& row : rows) {
    has_objective |= row.numbers.contains("objective");
    for (const auto& [name, value] : row.numbers)
      if (name.starts_with("fit.") && name.ends_with(".value")) append_new(name, fitted);
      else if (name.starts_with("quantities.") || name.starts_with("probes.")) append_new(name, quantities);
  }
  // By default runs without objective report their quantities and probes.
  if (!has_objective && sweep.report == std::vector<std::string>{"objective"})
    for (const std::string& name : quantities) append_new(name, columns);
  if (has_objective) append_new("objective", columns);
  for (const std::string& name : sweep.report)
    if (name != "objective" || has_objective) append_new(name, columns);
  for (const auto& [name, wanted] : sweep.pareto.items()) append_new(name, columns);
  for (const std::string& name : fitted) append_new(name, columns);
}

}  // namespace

SweepResults SweepResults::read(const std::filesystem::path& folder) {
  SweepResults out;
  const bool of_sweep = Sweep::is_one(folder);
  if (of_sweep) out.sweep = Sweep::read(folder);
  const std::vector<ListedRun> runs = runs_in(folder);
  for (std::size_t i = 0; i < runs.size();) {
    const std::size_t first = i;
    const std::filesystem::path& one = runs[i].sweep;
    Sweep sweep;
    if (of_sweep) sweep = out.sweep;
    else if (one.empty()) sweep.report = {"objective"};
    else sweep = Sweep::read(one);
    do out.rows.push_back(row_of(runs[i], sweep));
    while (++i < runs.size() && !one.empty() && runs[i].sweep == one);
    for (const std::string& input : sweep.inputs) append_new(input, out.sweep.inputs);
    add_columns(sweep, std::span(out.rows).subspan(first), out.columns);
  }
  return out;
}

std::string SweepResults::csv() const {
  const bool one = of_one_sweep();
  std::vector<std::string> head = {one ? "index" : "name", one ? "name" : "spec"};
  head.insert(head.end(), sweep.inputs.begin(), sweep.inputs.end());
  head.insert(head.end(), columns.begin(), columns.end());
  for (const char* name : {"state", "exit_code", "seconds", "reason"}) head.emplace_back(name);
  std::string out = csv_row(head);
  for (const Row& row : rows) {
    std::vector<std::string> cells = {one ? std::to_string(row.point.index) : row.point.name, one ? row.point.name : row.spec};
    for (const std::string& input : sweep.inputs) cells.push_back(row.point.set.contains(input) ? cell_of(row.point.set[input]) : "");
    for (const std::string& column : columns) {
      const auto found = row.numbers.find(column);
      cells.push_back(found == row.numbers.end() ? "" : number_text(found->second));
    }
    cells.push_back(name_of(row.state.kind));
    cells.push_back(row.state.code ? std::to_string(static_cast<int>(*row.state.code)) : "");
    cells.push_back(number_text(row.state.seconds));
    cells.push_back(row.state.reason);
    out += csv_row(cells);
  }
  return out;
}

ordered_json SweepResults::summary() const {
  ordered_json out;
  std::map<RunState::Kind, int> counts;
  for (const Row& row : rows) ++counts[row.state.kind];
  for (const auto& [kind, n] : counts) out["runs"][name_of(kind)] = n;
  if (!of_one_sweep()) return out;  // numbers of different specs are not compared
  for (const std::string& name : sweep.report)
    if (name != "objective" || columns.empty())
      if (std::ranges::none_of(rows, [&](const Row& row) { return row.numbers.contains(name); })) out["missing"].push_back(name);
  for (const std::string& column : columns) {
    std::vector<double> values;
    for (const Row& row : rows)
      if (const double v = number_of_result(row, column); std::isfinite(v)) values.push_back(v);
    if (values.empty()) continue;
    if (is_drawn(sweep.design)) out["statistics"][column] = statistics_json(values);
    if (sweep.design == "sobol_indices") out["sobol_indices"][column] = indices_json(*this, column);
  }
  const Row* best = nullptr;
  for (const Row& row : rows)
    if (const double v = number_of_result(row, "objective"); std::isfinite(v) && (!best || v < number_of_result(*best, "objective"))) best = &row;
  if (best) out["best"] = {{"name", best->point.name}, {"objective", number_of_result(*best, "objective")}, {"set", best->point.set}};
  if (sweep.compares_models) out["comparison"] = models_json(rows);
  if (sweep.pareto.is_null()) return out;
  std::vector<std::vector<double>> wanted;
  for (const Row& row : rows) {
    wanted.emplace_back();
    for (const auto& [name, way] : sweep.pareto.items()) wanted.back().push_back(way == "greatest" ? -number_of_result(row, name) : number_of_result(row, name));
  }
  out["pareto"] = ordered_json::array();
  for (const int i : pareto_set(wanted)) {
    ordered_json one = {{"name", rows[static_cast<std::size_t>(i)].point.name}};
    for (const auto& [name, way] : sweep.pareto.items()) one[name] = number_of_result(rows[static_cast<std::size_t>(i)], name);
    out["pareto"].push_back(one);
  }
  return out;
}

}  // namespace invar
