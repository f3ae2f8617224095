#include "apps/invar/verbs/prediction.hpp"

#include <algorithm>
#include <cmath>

#include "apps/invar/problem/build_process.hpp"
#include "apps/invar/verbs/quantity_value.hpp"
#include "libadjoint/inference/prediction.hpp"

namespace invar {

std::vector<Prediction> predict(Problem& problem, const DesignVector& theta, const Uncertainty& u) {
  std::vector<Prediction> predictions;
  if (problem.quantities.empty()) return predictions;
  CaseFunctional& functional = *problem.functional;
  const FullSweeps full(functional, short_sweeps(problem.cases));
  if (const Evaluation e = functional.solve(theta); !e.ok)
    throw std::runtime_error("the optimum cannot be evaluated again: " + e.reason);
  constexpr double round_off = 1e-5;  // of what data cannot see, which is zero
  for (const Quantity& q : problem.quantities) {
    Prediction p{q.name, value_of(problem, q)};
    const ProcessTerm term = std::isfinite(p.value) ? linearised(problem, q) : ProcessTerm{};
    DesignVector gradient;
    if (!std::isfinite(p.value)) {
      p.reason = "it has no value";
    } else if (!term.observable) {
      p.reason = "it knows no derivative";
    } else if (const Evaluation e = functional.quantity_gradient(theta, q.case_index, term, gradient); !e.ok) {
      p.reason = e.reason;
    } else {
      const auto n = static_cast<Eigen::Index>(gradient.shared.size());
      const Eigen::VectorXd g = Eigen::Map<const Eigen::VectorXd>(gradient.shared.data(), n);
      p.standard_error = std::sqrt(std::max(0.0, predicted_variance(g, u)));
      if (unseen_change(g, functional.variables(), theta.shared, u) > round_off) {
        p.standard_error = std::numeric_limits<double>::infinity();
        p.reason = "the data do not determine it";
      } else if (std::isnan(p.standard_error)) {
        p.reason = "the noise is not known";
      } else if (p.standard_error == 0 && depends_on_held(g, u)) {
        p.standard_error = std::numeric_limits<double>::quiet_NaN();
        p.reason = "it depends on parameters that bounds hold";
      }
      p.lower = p.value - u.quantile * p.standard_error;
      p.upper = p.value + u.quantile * p.standard_error;
    }
    predictions.push_back(std::move(p));
  }
  return predictions;
}

}  // namespace invar
