#include <algorithm>
#include <cmath>

#include "apps/invar/physics/physics_fit.hpp"
#include "apps/invar/problem/problem.hpp"
#include "apps/invar/problem/quantity_entries.hpp"
#include "apps/invar/problem/scalar_quantity.hpp"
#include "apps/invar/problem/trim_spec.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/design/entry/quantity_library.hpp"

namespace invar {

using spec::Value;

namespace {

/// What is reported only, of the state at a step.
Measurement build_measurement(CaseModel& model, const Value& record, int step, Diagnostics& diagnostics) {
  QuantityCase c;
  c.time = model.times[step];
  if (auto common = make_quantity(common_reports(), c, model, record, diagnostics)) return *common;
  return model.physics->measurement(model, record, c.time, diagnostics);
}

}  // namespace

void build_quantities(Problem& problem, int case_index, const std::vector<const Value*>& records, Diagnostics& diagnostics) {
  CaseModel& model = problem.cases[case_index];
  for (const Value* record : records) {
    if (!check_term_fits(*record, model, diagnostics)) continue;
    Quantity q{record->key, case_index, step_of(model, *record, diagnostics)};
    if (is_report((*record)["type"].text())) q.measurement = build_measurement(model, *record, q.step, diagnostics);
    else q.observable = build_scalar(model, *record, diagnostics);
    q.statistic = (*record)["statistic"].text();
    if (q.statistic != "value") {
      if ((!model.march && !model.path) || !q.observable)
        diagnostics.error((*record)["statistic"].position, (*record)["statistic"].yaml_path,
                          "'" + q.statistic + "' is for processes in time, and for quantities that can be objectives", "give 'time' a 'scheme'");
      else q.window = window_of(model.times, model.jumps, *record, diagnostics);
    }
    if (model.march && q.observable) model.process->watch({q.name, q.observable, {}});
    problem.quantities.push_back(std::move(q));
  }
}

void build_constraints(Problem& problem, int case_index, const std::vector<const Value*>& records, Diagnostics& diagnostics) {
  CaseModel& model = problem.cases[case_index];
  const auto add = [&](const Value& r, const std::string& name, std::shared_ptr<Observable> quantity) {
    CaseConstraint c;
    c.info.name = name;
    double size = 0, unit = 1;
    if (r["relative"].boolean() && quantity) {
      unit = value_as_given(model, r, *quantity, diagnostics);
      if (unit == 0)
        diagnostics.error(r["relative"].position, r["relative"].yaml_path, "'" + name + "' is 0 in the undesigned mesh, and relative limits are multiples of that value",
                          "give absolute limits");
    }
    if (const Value* lower = r.find("lower")) c.info.lower = unit * lower->number();
    if (const Value* upper = r.find("upper")) c.info.upper = unit * upper->number();
    if (unit < 0) {  // limits are of the ratio to a negative number
      const auto [lower, upper] = std::pair{c.info.upper, c.info.lower};
      c.info.lower = r.has("upper") ? lower : -INFINITY;
      c.info.upper = r.has("lower") ? upper : INFINITY;
    }
    if (c.info.lower > c.info.upper)
      diagnostics.error(r["lower"].position, r["lower"].yaml_path, "the lower limit is above the upper one");
    check_against_trim(model, r, c.info.lower, c.info.upper, diagnostics);
    for (double limit : {c.info.lower, c.info.upper})
      if (std::isfinite(limit)) size = std::max(size, std::abs(limit));
    c.info.scale = r.has("scale") ? std::abs(unit) * r["scale"].number() : size > 0 ? size : 1.0;
    c.case_index = case_index;
    c.quantity = process_term(model, r, std::move(quantity), diagnostics);
    c.quantity.name = c.info.name;
    const auto same = [&](const CaseConstraint& other) { return other.info.name == c.info.name; };
    if (std::any_of(problem.constraints.begin(), problem.constraints.end(), same))
      diagnostics.error(r.position, r.yaml_path, "there is already a constraint '" + c.info.name + "'", "give each its own 'name'");
    problem.constraints.push_back(std::move(c));
  };
  for (const Value* record : records) {
    const Value& r = *record;
    const std::string name = r["name"].text().empty() ? r["type"].text() : r["name"].text();
    if (const Value* station = r.find("station"); station && station->is_list()) {
      for (const double x : station->numbers()) add(r, name + "_" + number_text(x), build_scalar(model, r, diagnostics, x));
      continue;
    }
    add(r, name, build_scalar(model, r, diagnostics));
  }
}

}  // namespace invar
