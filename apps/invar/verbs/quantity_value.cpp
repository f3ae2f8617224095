#include "apps/invar/verbs/quantity_value.hpp"

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/scalar_quantity.hpp"

namespace invar {

double value_of(Problem& problem, const Quantity& q) {
  const CaseModel& model = problem.cases[q.case_index];
  if (q.statistic != "value")
    return statistic_of(model, q.statistic, q.window)->value(model.process->series(*q.observable, q.window.steps));
  if (q.observable) return model.process->series(*q.observable, {q.step}).front();
  double value = 0;
  model.process->with_state(q.step, [&](const EvaluationPoint& u) { value = q.measurement.value(u); });
  return value;
}

std::string why_undefined(const Problem& problem, const Quantity& q) {
  const CaseModel& model = problem.cases[q.case_index];
  const std::string none = "'" + q.name + "' has no value";
  if (q.statistic != "value") return none + ": " + statistic_of(model, q.statistic, q.window)->missing();
  const auto& known = physics_of(model.physics_word).undefined;
  const auto why = known.find(problem.spec["output"]["quantities"][q.name.c_str()]["type"].text());
  return why == known.end() ? none : none + ": " + why->second;
}

ProcessTerm linearised(Problem& problem, const Quantity& q) {
  const CaseModel& model = problem.cases[q.case_index];
  if (q.statistic != "value")
    return {q.name, q.observable, q.window.steps, 1.0,
            statistic_of(model, q.statistic, q.window)->gradient(model.process->series(*q.observable, q.window.steps))};
  if (!q.measurement) return {q.name, q.observable, {q.step}};
  if (!q.measurement.linearised) return {q.name, nullptr, {}};
  std::shared_ptr<Observable> tangent;
  model.process->with_state(q.step, [&](const EvaluationPoint& u) { tangent = model.observed(q.measurement.linearised(u)); });
  return {q.name, std::move(tangent), {q.step}};
}

}  // namespace invar
