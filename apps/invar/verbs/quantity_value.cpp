#include "apps/invar/verbs/quantity_value.hpp"

#include <numeric>

#include "apps/invar/verbs/time_statistic.hpp"
#include "libfem/objective/weighted_sum.hpp"

namespace invar {
namespace {

std::vector<double> observed(const CaseModel& model, const Quantity& q) {
  std::vector<double> y(q.observable->size());
  model.process->with_state(q.step, [&](const State& u) { q.observable->evaluate(u, y.data()); });
  return y;
}

}  // namespace

double value_of(Problem& problem, const Quantity& q) {
  const CaseModel& model = problem.cases[q.case_index];
  if (q.statistic != "value")
    return time_statistic(q.statistic, model.times, q.window, model.process->series(*q.observable, q.window.steps));
  if (q.measured) {
    double measured = 0;
    model.process->with_state(q.step, [&](const State& u) { measured = q.measured(u); });
    return measured;
  }
  const std::vector<double> y = observed(model, q);
  if (q.of != Quantity::Of::sum) return spaced_extremum(y, q.of == Quantity::Of::greatest);
  return std::accumulate(y.begin(), y.end(), 0.0);
}

ProcessTerm linearised(Problem& problem, const Quantity& q) {
  const CaseModel& model = problem.cases[q.case_index];
  if (q.measured) return {q.name, nullptr, {}};
  if (q.statistic != "value")
    return {q.name, q.observable, q.window.steps, 1.0,
            time_statistic_gradient(q.statistic, model.times, q.window, model.process->series(*q.observable, q.window.steps))};
  if (q.of == Quantity::Of::sum) return {q.name, q.observable, {q.step}};
  const std::vector<double> factors = spaced_extremum_gradient(observed(model, q), q.of == Quantity::Of::greatest);
  return {q.name, std::make_shared<WeightedSum>(q.observable, factors), {q.step}};
}

}  // namespace invar
