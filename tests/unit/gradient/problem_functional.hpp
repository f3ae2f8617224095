#pragma once
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/maps/number_design.hpp"
#include "tests/unit/gradient/observable_table.hpp"
#include "tests/unit/gradient/solid_problem.hpp"

namespace invar::gradient_test {

/// Measurements of one observable at every time: targets a little off the values at the start and
/// different from entry to entry, so that neither residuals nor their weights are special.
inline DataSet data_of(const SolidProblem& p, StaticCase& solved, const ObservableCase& o) {
  DataSet set;
  set.name = o.name;
  set.observable = o.make(p);
  set.weight = 0.8;
  set.steps.resize(p.spec.times.size());
  std::iota(set.steps.begin(), set.steps.end(), 0);
  const std::vector<double> y = solved.observed(set);
  double size = 0;
  for (double v : y) size = std::max(size, std::abs(v));
  if (size == 0) size = 1;
  for (std::size_t i = 0; i < y.size(); ++i) {
    // Rows of field samples come in another order on more ranks: the same target for all of them.
    set.target.push_back(y[i] + 0.4 * size);
    set.noise.push_back(0.5 * size * std::sqrt(static_cast<double>(y.size())));
  }
  return set;
}

/// Linear scaling for every other control and where a sign is possible, else logarithmic.
inline std::vector<DesignEntry> design_of(const SolidProblem& p) {
  std::vector<DesignEntry> entries;
  for (int c : p.designed) {
    const ControlInfo& info = p.residual->controls()[c];
    const double v = p.residual->control_values()[c][0];
    const bool log = info.lower >= 0 && v > 0 && c % 2 == 0;
    entries.push_back({{info.name,
                        VariableTransform(log ? VariableTransform::Kind::log : VariableTransform::Kind::linear,
                                          log ? v / 1.3 : 0.8 * std::abs(v)),
                        v, info.lower, info.upper},
                       {{0, c}}});
  }
  return entries;
}

/// J = ½‖ρ‖² + a multiple of the sum of the same observable, for one observable or (−1) for all.
/// `solved`: a case of this problem that was run at the start.
inline std::unique_ptr<CaseFunctional> make_functional(const SolidProblem& p, StaticCase& solved, int observable) {
  auto c = p.make_case();
  for (int k = 0; k < static_cast<int>(all_observables().size()); ++k) {
    if (observable >= 0 && k != observable) continue;
    DataSet set = data_of(p, solved, all_observables()[k]);
    c->terms().push_back({set.name, set.observable, set.steps, 0.1 / set.noise[0]});
    c->data().push_back(std::move(set));
  }
  return std::make_unique<CaseFunctional>(std::vector<std::shared_ptr<StaticCase>>{c},
      std::vector<std::shared_ptr<Parameterization>>{std::make_shared<NumberDesign>(design_of(p))}, p.dofs->comm());
}

}  // namespace invar::gradient_test
