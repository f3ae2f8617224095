#include "apps/invar/verbs/quantity_value.hpp"

#include <numeric>

#include "apps/invar/problem/scalar_quantity.hpp"
#include "libadjoint/maps/sampled_extremum.hpp"
#include "libfem/objective/weighted_sum.hpp"

namespace invar {
namespace {

bool is_place(const Quantity& q) { return q.of == Quantity::Of::place_of_least || q.of == Quantity::Of::place_of_greatest; }
bool of_greatest(const Quantity& q) { return q.of == Quantity::Of::greatest || q.of == Quantity::Of::place_of_greatest; }

std::vector<double> observed(const CaseModel& model, const Quantity& q) {
  std::vector<double> y(q.observable->size());
  model.process->with_state(q.step, [&](const EvaluationPoint& u) { q.observable->evaluate(u, y.data()); });
  return y;
}

}  // namespace

double value_of(Problem& problem, const Quantity& q) {
  const CaseModel& model = problem.cases[q.case_index];
  if (q.statistic != "value")
    return statistic_of(model, q.statistic, q.window)->value(model.process->series(*q.observable, q.window.steps));
  if (q.measured) {
    double measured = 0;
    model.process->with_state(q.step, [&](const EvaluationPoint& u) { measured = q.measured(u); });
    return measured;
  }
  const std::vector<double> y = observed(model, q);
  if (is_place(q)) return q.first_place + q.spacing * spaced_extremum_place(y, of_greatest(q));
  if (q.of != Quantity::Of::sum) return spaced_extremum(y, of_greatest(q));
  return std::accumulate(y.begin(), y.end(), 0.0);
}

ProcessTerm linearised(Problem& problem, const Quantity& q) {
  const CaseModel& model = problem.cases[q.case_index];
  if (q.measured) return {q.name, nullptr, {}};
  if (q.statistic != "value")
    return {q.name, q.observable, q.window.steps, 1.0,
            statistic_of(model, q.statistic, q.window)->gradient(model.process->series(*q.observable, q.window.steps))};
  if (q.of == Quantity::Of::sum) return {q.name, q.observable, {q.step}};
  std::vector<double> factors;
  if (is_place(q)) {
    factors = spaced_extremum_place_gradient(observed(model, q), of_greatest(q));
    for (double& f : factors) f *= q.spacing;
  } else {
    factors = spaced_extremum_gradient(observed(model, q), of_greatest(q));
  }
  return {q.name, std::make_shared<WeightedSum>(q.observable, factors), {q.step}};
}

}  // namespace invar
