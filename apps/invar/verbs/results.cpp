#include "apps/invar/verbs/results.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "apps/invar/spec/did_you_mean.hpp"
#include "apps/invar/verbs/design_size.hpp"
#include "apps/invar/verbs/noise.hpp"
#include "apps/invar/verbs/outliers.hpp"
#include "apps/invar/verbs/quantity_value.hpp"
#include "apps/invar/verbs/search.hpp"
#include "apps/invar/verbs/weight_report.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libadjoint/verify/limit_optimality.hpp"

namespace invar {
namespace {

using nlohmann::ordered_json;

/// estimates: of the shared entries of θ; null: there are none.
ordered_json fit_json(const Problem& problem, const DesignVector& theta, const std::vector<ParameterEstimate>* estimates) {
  ordered_json fit;
  const std::vector<double> p = problem.functional->physical(theta);
  for (std::size_t k = 0; k < p.size(); ++k) {
    ordered_json entry = {{"value", p[k]}};
    if (estimates) {
      const ParameterEstimate& e = (*estimates)[k];
      entry["standard_error"] = e.standard_error;
      entry["lower_95"] = e.lower;
      entry["upper_95"] = e.upper;
      entry["identifiable"] = e.identifiable;
      entry["at_bound"] = e.at_bound;
    }
    fit[problem.functional->names()[k]] = entry;
  }
  return fit;
}

ordered_json inference_json(const Problem& problem, const Uncertainty& u) {
  ordered_json correlation = ordered_json::array();
  for (Eigen::Index i = 0; i < u.correlation.rows(); ++i) {
    ordered_json row = ordered_json::array();
    for (Eigen::Index j = 0; j < u.correlation.cols(); ++j) row.push_back(u.correlation(i, j));
    correlation.push_back(row);
  }
  bool identifiable = true;
  ordered_json correlations = ordered_json::object();  // of each pair, by name
  for (const ParameterEstimate& e : u.parameters) identifiable &= e.identifiable;
  for (std::size_t i = 0; i < u.parameters.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) correlations[u.parameters[j].name][u.parameters[i].name] = u.correlation(i, j);
  return {{"noise", problem.noise_known ? "known" : "estimated from the misfit"},
          {"noise_known", problem.noise_known ? 1 : 0},
          {"chi_squared", u.chi_squared},
          {"data", u.data},
          {"degrees_of_freedom", u.degrees_of_freedom},
          {"negative_log_evidence", u.negative_log_evidence},
          {"noise_variance", u.noise_variance},
          {"all_identifiable", identifiable ? 1 : 0},
          {"correlation", correlation},
          {"correlations", correlations},
          {"effective_data", u.effective_data},
          {"variance_inflation", u.variance_inflation},
          {"effective_degrees_of_freedom", u.effective_freedom},
          {"expected_chi_squared", u.expected_chi_squared},
          {"noise_correlation", noise_json(u.noise_correlations)},
          {"findings", u.findings}};
}

/// Intervals by name; where there is none, the reason.
ordered_json intervals_json(const std::vector<Prediction>& predictions) {
  ordered_json intervals;
  for (const Prediction& p : predictions) {
    ordered_json& entry = intervals[p.name];
    entry = {{"standard_error", p.standard_error}, {"lower_95", p.lower}, {"upper_95", p.upper}};
    if (!p.reason.empty()) entry["reason"] = p.reason;
    entry["tells_sign"] = p.lower > 0 || p.upper < 0 ? 1 : 0;
  }
  return intervals;
}

void add_constraints(Problem& problem, const DesignVector& theta, ordered_json& results) {
  std::vector<double> c;
  if (problem.constraints.empty() || !problem.functional->constraint_values(theta, c).ok) return;
  for (std::size_t k = 0; k < c.size(); ++k) {
    const ConstraintInfo& info = problem.constraints[k].info;
    if (info.competes) {
      results["worst_of"][info.name] = c[k];
      continue;
    }
    ordered_json& of = results["constraints"][info.name];
    of = {{"value", c[k]}, {"violation", std::max({0.0, info.lower - c[k], c[k] - info.upper})}};
    if (std::isfinite(info.lower)) of["lower"] = info.lower;
    if (std::isfinite(info.upper)) of["upper"] = info.upper;
  }
}

/// limits.TERM, and the first-order condition that they are a part of.
void add_limits(Problem& problem, const DesignVector& theta, ordered_json& results) {
  const std::vector<LimitedTerm> terms = limited_terms(problem.functional->cases());
  if (terms.empty()) return;
  const LimitOptimality found = limit_optimality(*problem.functional, theta, terms);
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const LimitStatus& s = found.limits[k];
    const int dim = problem.cases[static_cast<std::size_t>(terms[k].quantity.case_index)].mesh->dim;
    results["limits"][terms[k].name] = {{"violation", s.violation}, {"ratio", s.ratio}, {"share", s.share}, {"at", std::vector<double>(s.x, s.x + dim)},
                                        {"slack", s.slack}, {"multiplier", s.multiplier}, {"points", s.points}, {"active_points", s.active_points},
                                        {"cells", s.cells}, {"active_cells", s.active_cells}};
  }
  results["optimizer"]["lagrangian_gradient"] = found.gradient;
}

/// errors.CASE.NORM, and with `orders` errors.CASE.NORM_order against the case before where its cells are larger.
void add_errors(Problem& problem, ordered_json& results) {
  if (problem.errors.empty()) return;
  const bool orders = problem.spec["output"]["errors"]["orders"].boolean();
  std::map<std::string, std::array<double, 2>> before;  // by norm: cell size and error
  for (const CaseError& e : problem.errors) {
    const CaseModel& model = problem.cases[e.case_index];
    const double h = e.norm.cell_size();
    double error = 0;
    model.process->with_state(model.last_step(), [&](const EvaluationPoint& u) { error = e.norm.evaluate(u); });
    ordered_json& of_case = results["errors"][model.name];
    of_case[e.name] = error;
    if (const auto last = before.find(e.name); orders && last != before.end() && h < last->second[0])
      of_case[e.name + "_order"] = observed_order(last->second[0], last->second[1], h, error);
    before[e.name] = {h, error};
  }
}

double stored_energy(CaseModel& model) {
  double energy = 0;
  model.process->with_state(model.last_step(), [&](const EvaluationPoint& u) {
    for (const int f : model.physics->stored_energy_forms()) energy += model.residual->form_value(f, u);
  });
  return energy;
}

/// Numbers of a JSON tree by dotted path.
void flatten(const ordered_json& j, const std::string& path, std::map<std::string, double>& out) {
  if (j.is_number()) out[path] = j.get<double>();
  else if (j.is_boolean()) out[path] = j.get<bool>() ? 1 : 0;
  else if (j.is_object())
    for (const auto& [key, value] : j.items()) flatten(value, path.empty() ? key : path + "." + key, out);
}

}  // namespace

ordered_json collect_results(Problem& problem, const DesignVector& theta, const RunResults& findings) {
  const auto& [optimum, uncertainty, posterior, predictions, of_probes, trust, solves] = findings;
  ordered_json results;
  results["title"] = problem.title;
  if (problem.has_objective) {
    double squares = 0;
    for (const auto& c : problem.functional->cases())
      for (const DataSet& set : c->data()) {
        if (set.weight == 0) continue;  // no part of the fit
        const std::vector<double> y = c->observed(set);
        for (std::size_t i = 0; i < y.size(); ++i) squares += (y[i] - set.target[i]) * (y[i] - set.target[i]);
      }
    results["objective"] = problem.functional->value(theta).value;
    if (problem.functional->residual_count() > 0) results["sum_of_squares"] = squares;
  }
  if (problem.functional->has_design()) {
    const DesignSize size = design_size(*problem.functional);
    results["design"] = {{"variables", size.total()}, {"numbers", size.numbers}, {"field_entries", size.entries}};
  }
  if (optimum)
    results["optimizer"] = {{"method", optimizer_of(problem)},
                            {"converged", optimum->converged},   {"reason", optimum->reason},
                            {"iterations", optimum->iterations}, {"evaluations", optimum->evaluations},
                            {"rejected", optimum->rejected},     {"relative_gradient", optimum->relative_gradient},
                            {"violation", optimum->violation}};
  const std::vector<ParameterEstimate>* of_posterior = posterior && posterior->failure.empty() ? &posterior->numbers : nullptr;
  if (!theta.shared.empty()) results["fit"] = fit_json(problem, theta, uncertainty ? &uncertainty->parameters : of_posterior);
  if (uncertainty) results["inference"] = inference_json(problem, *uncertainty);
  if (uncertainty)
    for (std::size_t k = 0; k < uncertainty->parameters.size(); ++k) results["fit"][uncertainty->parameters[k].name]["widening"] = uncertainty->widening[static_cast<Eigen::Index>(k)];
  if (nlohmann::ordered_json weight = weight_json(problem); !weight.is_null()) results["weight"] = std::move(weight);
  if (posterior) results["posterior"] = posterior_json(*posterior);
  if (nlohmann::ordered_json outliers = outliers_json(problem, uncertainty); !outliers.is_null()) results["outliers"] = std::move(outliers);
  for (const Quantity& probe : problem.probes) results["probes"][probe.name] = value_of(problem, probe);
  for (const Quantity& quantity : problem.quantities) results["quantities"][quantity.name] = value_of(problem, quantity);
  if (!predictions.empty()) results["intervals"] = intervals_json(predictions);
  if (!of_probes.empty()) results["probe_intervals"] = intervals_json(of_probes);
  add_constraints(problem, theta, results);
  if (optimum) add_limits(problem, theta, results);
  add_errors(problem, results);
  for (std::size_t c = 0; c < problem.cases.size(); ++c) {
    CaseModel& model = problem.cases[c];
    ordered_json& of_case = results["cases"][model.name] = {{"unknowns", model.dofs->n_global()}, {"nodes", model.mesh->n_global_nodes}, {"steps", model.times.size()}};
    if (!model.physics->stored_energy_forms().empty()) of_case["stored_energy"] = stored_energy(model);
    if (ordered_json march = trust.report(static_cast<int>(c)); !march.is_null()) of_case["march"] = std::move(march);
    if (ordered_json solve = solves.report(static_cast<int>(c)); !solve.is_null()) of_case["solve"] = std::move(solve);
  }
  return results;
}

std::vector<std::string> unmet_expectations(const spec::Value& spec, const ordered_json& results) {
  std::vector<std::string> failures;
  const spec::Value* expect = spec.find("expect");
  if (!expect) return failures;
  std::map<std::string, double> numbers;
  flatten(results, "", numbers);
  std::vector<std::string> names;
  for (const auto& [name, value] : numbers) names.push_back(name);
  for (const spec::Value& e : *expect) {
    const std::string where = e.position.text() + ": " + e.key;
    const auto found = numbers.find(e.key);
    if (found == numbers.end()) {
      failures.push_back(where + " is not a number of results.json" + did_you_mean(e.key, names));
      continue;
    }
    const double v = found->second;
    if (const spec::Value* want = e.find("value")) {
      const double tolerance = e["abs"].number() + e["rel"].number() * std::abs(want->number());
      if (!(std::abs(v - want->number()) <= tolerance))
        failures.push_back(where + " is " + short_number(v, 8) + ", expected " + short_number(want->number(), 8) + " ± " + short_number(tolerance, 8));
    }
    if (const spec::Value* most = e.find("at_most"); most && !(v <= most->number()))
      failures.push_back(where + " is " + short_number(v, 8) + ", expected at most " + short_number(most->number(), 8));
    if (const spec::Value* least = e.find("at_least"); least && !(v >= least->number()))
      failures.push_back(where + " is " + short_number(v, 8) + ", expected at least " + short_number(least->number(), 8));
  }
  return failures;
}

}  // namespace invar
