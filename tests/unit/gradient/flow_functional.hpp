#pragma once
#include <memory>
#include <numeric>
#include <vector>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/maps/number_design.hpp"
#include "tests/unit/gradient/field_design.hpp"
#include "tests/unit/gradient/flow_table.hpp"

namespace invar::gradient_test {

using Design = std::vector<std::shared_ptr<Parameterization>>;

/// Measurements of an objective at every time: targets a little off the values at the start.
inline DataSet data_of(const FlowGradientProblem& p, StaticCase& solved, const FlowObjective& o) {
  DataSet set;
  set.name = o.name;
  set.observable = o.make(p);
  set.weight = 0.8;
  set.steps.resize(p.spec.times.size());
  std::iota(set.steps.begin(), set.steps.end(), 0);
  const std::vector<double> y = solved.observed(set);
  double size = 0;
  for (double v : y) size = std::max(size, std::abs(v));
  if (size == 0) throw std::logic_error("objective '" + o.name + "' is zero at the start: it would test nothing");
  for (double v : y) {
    set.target.push_back(v + 0.4 * size);  // rows of field samples are in another order on more ranks
    set.noise.push_back(0.5 * size * std::sqrt(static_cast<double>(y.size())));
  }
  return set;
}

/// All numbers, every other one of those that must be positive by its logarithm.
inline std::shared_ptr<NumberDesign> number_design(const FlowGradientProblem& p, const std::vector<int>& controls) {
  std::vector<DesignEntry> entries;
  for (int c : controls) {
    const ControlInfo& info = p.residual->controls()[c];
    const double v = p.residual->control_values()[c][0];
    const bool log = info.lower >= 0 && v > 0 && c % 2 == 0;
    const double scale = log ? v / 1.3 : v == 0 ? 0.2 : 0.8 * std::abs(v);
    const VariableTransform transform(log ? VariableTransform::Kind::log : VariableTransform::Kind::linear, scale);
    entries.push_back({{info.name, transform, v, info.lower, info.upper}, {{0, c}}});
  }
  return std::make_shared<NumberDesign>(std::move(entries));
}

/// The numbers, then every field.
inline Design full_design(const FlowGradientProblem& p) {
  Design design{number_design(p, p.numbers)};
  for (int c : p.fields) design.push_back(std::make_shared<FieldDesign>(p.residual, c));
  return design;
}

/// J = ½‖ρ‖² + multiples of the sums, of one objective or (−1) of all; each objective by itself is a
/// constraint. `solved`: a case of this problem that was run at the start. c: the case that is differentiated.
inline std::unique_ptr<CaseFunctional> make_flow_functional(const FlowGradientProblem& p, StaticCase& solved, std::shared_ptr<StaticCase> c,
                                                            Design design, int objective = -1) {
  std::vector<CaseConstraint> constraints;
  for (int k = 0; k < static_cast<int>(all_flow_objectives().size()); ++k) {
    if ((objective >= 0 && k != objective) || !all_flow_objectives()[k].applies(p.spec)) continue;
    DataSet set = data_of(p, solved, all_flow_objectives()[k]);
    c->terms().push_back({set.name, set.observable, set.steps, (k % 2 ? 0.1 : -0.13) / set.noise[0]});
    constraints.push_back({{.name = set.name}, 0, {set.name, set.observable, set.steps, 1 / set.noise[0]}});
    c->data().push_back(std::move(set));
  }
  return std::make_unique<CaseFunctional>(std::vector<std::shared_ptr<StaticCase>>{std::move(c)}, std::move(design),
                                          p.dofs->comm(), std::move(constraints));
}

/// A problem solved at its start.
struct SolvedFlow {
  FlowGradientProblem problem;
  Controls start;
  std::shared_ptr<StaticCase> at_start;
  ProcessReport report;

  SolvedFlow(const FlowSpec& s, MPI_Comm comm)
      : problem(make_flow_problem(s, comm)), start(problem.residual->control_values()), at_start(problem.make_case()),
        report(at_start->run(start)) {}

  std::unique_ptr<CaseFunctional> functional(Design design, int objective = -1) const {
    return make_flow_functional(problem, *at_start, problem.make_case(), std::move(design), objective);
  }
};

}  // namespace invar::gradient_test
