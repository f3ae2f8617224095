#include "apps/invar/verbs/curves.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "apps/invar/chart/curve_chart.hpp"
#include "apps/invar/chart/wall_chart.hpp"
#include "apps/invar/report/csv.hpp"
#include "libadjoint/inference/curve_sensitivity.hpp"
#include "libadjoint/inference/goodness_of_fit.hpp"

namespace invar {
namespace {

/// What a quantity was chosen from, as FOLDER/NAME.csv, and its charts. Collective.
void write_profile(const CaseModel& model, const Quantity& q, const RunFolder* folder) {
  Measurement::Columns columns;
  model.process->with_state(q.step, [&](const EvaluationPoint& u) { columns = q.measurement.profile(u); });
  if (!folder) return;
  const std::string stem = q.measurement.folder + "/" + q.name;
  folder->write(stem + ".csv", csv_text(columns.names, columns.data));
  for (const WallChart& c : wall_charts(q.name, columns.names, columns.data)) folder->write(stem + "_" + c.what + ".svg", c.chart.document());
}

/// Whether the set is one value for each t: a field or markers at one time are no curve, nor is one number.
bool is_curve(const DataSet& set) {
  if (set.statistic) return false;
  return set.sums_steps || (!set.steps.empty() && set.target.size() == set.steps.size());
}

/// Null: the curve is part of the fit.
const HeldOutFit* fit_of(const FitCurve& curve, const std::vector<HeldOutData>& held_out) {
  const auto own = std::ranges::find_if(held_out, [&](const HeldOutData& s) { return s.case_index == curve.case_index && s.data_set == curve.data_set; });
  return own == held_out.end() ? nullptr : &own->fit;
}

/// Whether it is drawn along load steps or time.
bool has_curve(const Problem& problem, const Quantity& q) { return q.observable && problem.cases[q.case_index].times.size() > 1; }

std::string axis_of(const CaseModel& model) { return model.march ? "time t" : "t"; }

void write_curve(const RunCurve& curve, const RunFolder& folder) {
  std::vector<std::string> columns = {"t"};
  std::vector<std::vector<double>> data = {curve.t};
  const auto add = [&](const char* name, const std::vector<double>& values) {
    columns.emplace_back(name);
    data.push_back(values);
  };
  if (!curve.is_fit()) {
    add("value", curve.value);
    if (!curve.lower.empty()) {
      add("lower_95", curve.lower);
      add("upper_95", curve.upper);
    }
  } else {
    std::vector<double> difference;
    for (std::size_t i = 0; i < curve.t.size(); ++i) difference.push_back(curve.value[i] - curve.measured[i]);
    add("measured", curve.measured);
    add("model", curve.value);
    add("difference", difference);
    if (!curve.lower.empty()) {
      add("lower_95", curve.lower);
      add("upper_95", curve.upper);
      add("measured_lower_95", curve.measured_lower);
      add("measured_upper_95", curve.measured_upper);
    }
  }
  folder.write("curves/" + curve.name + ".csv", csv_text(columns, data));
  folder.write("curves/" + curve.name + ".svg", curve_chart(curve).document());
}

}  // namespace

std::vector<PredictionBand> bands_of_curves(Problem& problem, const DesignVector& theta, const Eigen::MatrixXd& drho, const Uncertainty& u,
                                            const std::vector<HeldOutData>& held_out) {
  const std::vector<DesignVariable> variables = problem.functional->variables();
  std::vector<std::vector<Eigen::Index>> first_rows;  // [case][data set]
  Eigen::Index row = 0;
  for (const auto& c : problem.functional->cases()) {
    first_rows.emplace_back();
    for (const DataSet& set : c->data()) {
      first_rows.back().push_back(row);
      row += static_cast<Eigen::Index>(set.target.size());
    }
  }
  std::vector<PredictionBand> bands;
  for (const FitCurve& curve : problem.curves) {
    Case& process = *problem.cases[curve.case_index].process;
    const DataSet& set = process.data()[curve.data_set];
    bands.emplace_back();
    if (!is_curve(set)) continue;
    if (const HeldOutFit* own = fit_of(curve, held_out)) {
      bands.back() = own->band;
      continue;
    }
    const std::vector<double> y = process.observed(set);
    const Eigen::MatrixXd rows = drho.middleRows(first_rows[curve.case_index][curve.data_set], static_cast<Eigen::Index>(y.size()));
    bands.back() = prediction_band(set, y, rows, variables, theta.shared, u);
  }
  return bands;
}

std::vector<std::string> doubts_about_curves(Problem& problem) {
  std::vector<std::string> doubts;
  for (const FitCurve& curve : problem.curves) {
    Case& process = *problem.cases[curve.case_index].process;
    const DataSet& set = process.data()[curve.data_set];
    if (!is_curve(set)) continue;
    if (std::string doubt = curve_doubt(curve.name, process.observed(set), set.target); !doubt.empty()) doubts.push_back(std::move(doubt));
  }
  return doubts;
}

QuantityBands bands_of_quantities(Problem& problem, const DesignVector& theta, const Uncertainty& u) {
  QuantityBands bands;
  std::vector<ObservedCurve> curves;
  for (const Quantity& q : problem.quantities)
    if (has_curve(problem, q)) curves.push_back({q.case_index, q.observable});
  if (curves.empty()) return bands;
  if (const Evaluation e = differentiate_curves(*problem.functional, theta, curves); !e.ok) {
    bands.reason = e.reason;
    return bands;
  }
  const std::vector<DesignVariable> variables = problem.functional->variables();
  for (const ObservedCurve& curve : curves)
    bands.of[curve.observable.get()] = prediction_band(curve.values, curve.sensitivity, variables, theta.shared, u);
  return bands;
}

void write_curves(Problem& problem, const std::vector<PredictionBand>& bands, const std::vector<HeldOutData>& held_out, const QuantityBands& of_quantities,
                  const RunFolder* folder) {
  for (std::size_t k = 0; k < problem.curves.size(); ++k) {
    const FitCurve& curve = problem.curves[k];
    Case& process = *problem.cases[curve.case_index].process;
    const DataSet& set = process.data()[curve.data_set];
    if (!is_curve(set)) continue;
    RunCurve fit{curve.name, curve.t, process.observed(set), set.target, {}, {}, {}, {}, axis_of(problem.cases[curve.case_index])};
    if (k < bands.size()) {
      fit.lower = bands[k].lower, fit.upper = bands[k].upper;
      fit.measured_lower = bands[k].measured_lower, fit.measured_upper = bands[k].measured_upper;
    }
    if (const HeldOutFit* own = fit_of(curve, held_out)) fit.widening = own->widening;
    if (folder) write_curve(fit, *folder);
  }
  for (const Quantity& q : problem.quantities) {
    const CaseModel& model = problem.cases[q.case_index];
    if (q.measurement.profile) write_profile(model, q, folder);
    if (!has_curve(problem, q)) continue;
    std::vector<int> steps(model.times.size());
    std::iota(steps.begin(), steps.end(), 0);
    const std::vector<double> y = model.process->series(*q.observable, steps);
    RunCurve curve{q.name, model.times, y, {}, {}, {}, {}, {}, axis_of(model), q.statistic == "value" ? "" : "signal of " + q.name};
    if (const auto band = of_quantities.of.find(q.observable.get()); band != of_quantities.of.end())
      curve.lower = band->second.lower, curve.upper = band->second.upper;
    if (folder) write_curve(curve, *folder);
  }
}

}  // namespace invar
