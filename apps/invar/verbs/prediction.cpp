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

}  // namespace

std::vector<Prediction> predict(Problem& problem, const DesignVector& theta, const Uncertainty& u) {
  std::vector<Prediction> predictions;
  if (problem.quantities.empty()) return predictions;
  const FullSweeps full(problem);
  CaseFunctional& functional = *problem.functional;
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
    predictions.push_back(std::move(p));
  }
  return predictions;
}

}  // namespace invar
