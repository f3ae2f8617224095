#pragma once
#include <string>
#include <vector>

#include "libadjoint/inference/uncertainty.hpp"
#include "libadjoint/parameterization.hpp"

namespace invar {

// Of a quantity q(θ) with the gradient g = dq/dθ at the optimum of a fit, by linear propagation (delta method).

/// gᵀ C g over the parameters that are free, C the covariance of θ. NaN where the noise is not known.
double predicted_variance(const Eigen::VectorXd& g, const Uncertainty& u);
/// How much q changes along directions of θ that no datum sees, against what its parts change by: 0 to the number of
/// parameters, and round-off where the data determine q. Changes far below all other influences on q are none. variables: transforms of the entries of theta.
double unseen_change(const Eigen::VectorXd& g, const std::vector<DesignVariable>& variables, const std::vector<double>& theta,
                     const Uncertainty& u);
/// Whether q depends on a parameter that a bound holds.
bool depends_on_held(const Eigen::VectorXd& g, const Uncertainty& u);

/// An interval for q, and why it is none or without bounds.
struct PredictedInterval {
  double standard_error = 0;     // in q's unit; infinite where the data do not determine q, NaN where it is not known
  double lower = 0, upper = 0;   // q ∓ quantile × standard error
  std::string reason = {};
};
/// value: q(θ). gradient, variables and theta as above, [parameters] each.
PredictedInterval predicted_interval(double value, const std::vector<double>& gradient, const std::vector<DesignVariable>& variables,
                                     const std::vector<double>& theta, const Uncertainty& u);

}  // namespace invar
