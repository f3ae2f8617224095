#include "libadjoint/inference/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace invar {

double predicted_variance(const Eigen::VectorXd& g, const Uncertainty& u) {
  double sum = 0;
  for (Eigen::Index i = 0; i < g.size(); ++i)
    for (Eigen::Index j = 0; j < g.size(); ++j)
      if (!u.parameters[i].at_bound && !u.parameters[j].at_bound) sum += g[i] * u.covariance(i, j) * g[j];
  return sum;
}

double unseen_change(const Eigen::VectorXd& g, const std::vector<DesignVariable>& variables, const std::vector<double>& theta,
                     const Uncertainty& u) {
  Eigen::VectorXd relative(g.size());  // derivative by relative changes of the physical parameters
  for (Eigen::Index k = 0; k < g.size(); ++k) {
    const VariableTransform& t = variables[k].transform;
    const double p = t.physical(theta[k]), unit = p != 0 ? p : t.scale();
    relative[k] = g[k] * unit / t.derivative(theta[k]);
  }
  const double largest = g.size() > 0 ? relative.cwiseAbs().maxCoeff() : 0;
  double most = 0;
  for (const auto direction : u.null_directions.colwise()) {
    const Eigen::VectorXd parts = relative.cwiseProduct(direction);
    const double part = parts.cwiseAbs().maxCoeff();
    // As for data: a part far below the other influences counts as none.
    if (part > UncertaintyOptions{}.sensitivity_tolerance * largest) most = std::max(most, std::abs(parts.sum()) / part);
  }
  return most;
}

bool depends_on_held(const Eigen::VectorXd& g, const Uncertainty& u) {
  for (Eigen::Index k = 0; k < g.size(); ++k)
    if (u.parameters[k].at_bound && g[k] != 0) return true;
  return false;
}

PredictedInterval normal_interval(double value, double variance) {
  const double deviation = std::sqrt(std::max(0.0, variance));
  return {.standard_error = deviation, .lower = value - normal_quantile_95 * deviation, .upper = value + normal_quantile_95 * deviation};
}

PredictedInterval predicted_interval(double value, const std::vector<double>& gradient, const std::vector<DesignVariable>& variables,
                                     const std::vector<double>& theta, const Uncertainty& u) {
  constexpr double round_off = 1e-5;  // bound on a vanishing change
  const Eigen::VectorXd g = Eigen::Map<const Eigen::VectorXd>(gradient.data(), static_cast<Eigen::Index>(gradient.size()));
  PredictedInterval p;
  p.standard_error = std::sqrt(std::max(0.0, predicted_variance(g, u)));
  if (unseen_change(g, variables, theta, u) > round_off) {
    p.standard_error = std::numeric_limits<double>::infinity();
    p.reason = "the data do not determine it";
  } else if (std::isnan(p.standard_error)) {
    p.reason = "the noise is not known";
  } else if (p.standard_error == 0 && depends_on_held(g, u)) {
    p.standard_error = std::numeric_limits<double>::quiet_NaN();
    p.reason = "it depends on parameters at their bounds";
  }
  p.lower = value - u.quantile * p.standard_error;
  p.upper = value + u.quantile * p.standard_error;
  return p;
}

}  // namespace invar
