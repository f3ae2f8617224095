#include "apps/invar/verbs/prediction.hpp"

#include <algorithm>
#include <cmath>

#include "apps/invar/verbs/full_sweeps.hpp"
#include "apps/invar/verbs/quantity_value.hpp"

namespace invar {
namespace {

/// How much q changes along directions of θ that no datum sees, against what its parts change by.
double unseen_change(const CaseFunctional& functional, const DesignVector& theta, const Eigen::VectorXd& g,
                     const Uncertainty& u) {
  const std::vector<DesignVariable> variables = functional.variables();
  double most = 0;
  for (const auto direction : u.null_directions.colwise()) {
    double change = 0, parts = 0;
    for (Eigen::Index k = 0; k < g.size(); ++k) {
      const VariableTransform& t = variables[k].transform;
      const double p = t.physical(theta.shared[k]), unit = p != 0 ? p : t.scale();
      const double part = g[k] * direction[k] * unit / t.derivative(theta.shared[k]);
      change += part;
      parts = std::max(parts, std::abs(part));
    }
    if (parts > 0) most = std::max(most, std::abs(change) / parts);
  }
  return most;
}

/// gᵀ C g over the parameters that are free.
double variance(const Eigen::VectorXd& g, const Uncertainty& u) {
  double sum = 0;
  for (Eigen::Index i = 0; i < g.size(); ++i)
    for (Eigen::Index j = 0; j < g.size(); ++j)
      if (!u.parameters[i].at_bound && !u.parameters[j].at_bound) sum += g[i] * u.covariance(i, j) * g[j];
  return sum;
}

bool depends_on_held(const Eigen::VectorXd& g, const Uncertainty& u) {
  for (Eigen::Index k = 0; k < g.size(); ++k)
    if (u.parameters[k].at_bound && g[k] != 0) return true;
  return false;
}

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

/// The interval that gᵀ C g gives the prediction.
void propagate(const CaseFunctional& functional, const DesignVector& theta, const Uncertainty& u, const DesignVector& gradient,
               Prediction& p) {
  constexpr double round_off = 1e-5;  // of what data cannot see, which is zero
  const auto n = static_cast<Eigen::Index>(gradient.shared.size());
  const Eigen::VectorXd g = Eigen::Map<const Eigen::VectorXd>(gradient.shared.data(), n);
  p.standard_error = std::sqrt(std::max(0.0, variance(g, u)));
  if (unseen_change(functional, theta, g, u) > round_off) {
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

}  // namespace

std::vector<Prediction> predict(Problem& problem, const DesignVector& theta, const Uncertainty& u) {
  if (problem.quantities.empty()) return {};
  const FullSweeps full(problem);
  CaseFunctional& functional = *problem.functional;
  if (const Evaluation e = functional.solve(theta); !e.ok)
    throw std::runtime_error("the optimum cannot be evaluated again: " + e.reason);
  std::vector<Propagated> all;
  for (const Quantity& q : problem.quantities) {
    Propagated p{{q.name, value_of(problem, q)}, {}, {}};
    if (std::isfinite(p.prediction.value)) p.term = linearised(problem, q);
    if (!std::isfinite(p.prediction.value)) p.prediction.reason = "it has no value";
    else if (!p.term.observable) p.prediction.reason = "it knows no derivative";
    all.push_back(std::move(p));
  }
  for (int c = 0; c < static_cast<int>(problem.cases.size()); ++c) {
    std::vector<Propagated*> of_case;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (problem.quantities[k].case_index == c && all[k].prediction.reason.empty()) of_case.push_back(&all[k]);
    differentiate(functional, theta, c, of_case);
  }
  std::vector<Prediction> predictions;
  for (Propagated& p : all) {
    if (p.prediction.reason.empty()) propagate(functional, theta, u, p.gradient, p.prediction);
    predictions.push_back(std::move(p.prediction));
  }
  return predictions;
}

}  // namespace invar
