#include "apps/invar/verbs/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "apps/invar/problem/build_process.hpp"
#include "apps/invar/verbs/posterior.hpp"
#include "apps/invar/verbs/quantity_value.hpp"
#include "libadjoint/inference/prediction.hpp"

namespace invar {
namespace {

/// A quantity with what its interval takes: the sum over steps that is its linearisation, and dq/dθ by adjoints.
struct Propagated {
  Prediction prediction;
  ProcessTerm term;
  DesignVector gradient;
};

/// The gradients of all quantities of a case that have one, by one sweep; where that fails their reason.
void differentiate(CaseFunctional& functional, const DesignVector& theta, int case_index,
                   const std::vector<Propagated*>& of_case) {
  if (of_case.empty()) return;
  std::vector<CaseQuantity> quantities;
  for (const Propagated* q : of_case) quantities.push_back({case_index, &q->term});
  std::vector<DesignVector> gradients;
  const Evaluation e = functional.quantity_gradients(theta, quantities, gradients);
  for (std::size_t k = 0; k < of_case.size(); ++k) {
    if (e.ok) of_case[k]->gradient = std::move(gradients[k]);
    else of_case[k]->prediction.reason = e.reason;
  }
}

using Interval = std::function<PredictedInterval(double value, const DesignVector& gradient)>;

std::vector<Prediction> predict_by(Problem& problem, const std::vector<Quantity>& quantities, const DesignVector& theta,
                                   const Interval& interval) {
  if (quantities.empty()) return {};
  CaseFunctional& functional = *problem.functional;
  const FullSweeps full(functional, truncated_sweeps(problem.cases));
  if (const Evaluation e = functional.solve(theta); !e.ok)
    throw std::runtime_error("the optimum cannot be evaluated again: " + e.reason);
  std::vector<Propagated> all;
  for (const Quantity& q : quantities) {
    Propagated p{{q.name, value_of(problem, q)}, {}, {}};
    if (std::isfinite(p.prediction.value)) p.term = linearised(problem, q);
    if (!std::isfinite(p.prediction.value)) p.prediction.reason = "it has no value";
    else if (!p.term.observable) p.prediction.reason = "its derivative is not available";
    all.push_back(std::move(p));
  }
  for (int c = 0; c < static_cast<int>(problem.cases.size()); ++c) {
    std::vector<Propagated*> of_case;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (quantities[k].case_index == c && all[k].prediction.reason.empty()) of_case.push_back(&all[k]);
    differentiate(functional, theta, c, of_case);
  }
  std::vector<Prediction> predictions;
  for (Propagated& p : all) {
    if (p.prediction.reason.empty()) {
      const PredictedInterval i = interval(p.prediction.value, p.gradient);
      p.prediction.standard_error = i.standard_error, p.prediction.reason = i.reason;
      p.prediction.lower = i.lower, p.prediction.upper = i.upper;
    }
    predictions.push_back(std::move(p.prediction));
  }
  return predictions;
}

}  // namespace

std::vector<Prediction> predict(Problem& problem, const std::vector<Quantity>& quantities, const DesignVector& theta, const Uncertainty& u) {
  return predict_by(problem, quantities, theta, [&](double value, const DesignVector& gradient) {
    return predicted_interval(value, gradient.shared, problem.functional->variables(), theta.shared, u);
  });
}

std::vector<Prediction> predict(Problem& problem, const std::vector<Quantity>& quantities, const DesignVector& theta,
                                const Posterior& posterior) {
  if (!posterior.failure.empty()) return {};
  return predict_by(problem, quantities, theta, [&](double value, const DesignVector& gradient) {
    return normal_interval(value, posterior.distribution.variance(gradient));
  });
}

}  // namespace invar
