#include "libadjoint/inference/prediction.hpp"

#include <algorithm>
#include <cmath>

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
  double most = 0;
  for (const auto direction : u.null_directions.colwise()) {
    double change = 0, parts = 0;
    for (Eigen::Index k = 0; k < g.size(); ++k) {
      const VariableTransform& t = variables[k].transform;
      const double p = t.physical(theta[k]), unit = p != 0 ? p : t.scale();
      const double part = g[k] * direction[k] * unit / t.derivative(theta[k]);
      change += part;
      parts = std::max(parts, std::abs(part));
    }
    if (parts > 0) most = std::max(most, std::abs(change) / parts);
  }
  return most;
}

bool depends_on_held(const Eigen::VectorXd& g, const Uncertainty& u) {
  for (Eigen::Index k = 0; k < g.size(); ++k)
    if (u.parameters[k].at_bound && g[k] != 0) return true;
  return false;
}

}  // namespace invar
