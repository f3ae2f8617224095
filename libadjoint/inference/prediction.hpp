#pragma once
#include <string>
#include <vector>

#include "libadjoint/inference/uncertainty.hpp"
#include "libadjoint/parameterization.hpp"

namespace invar {

// Intervals for a quantity q(θ) with gradient g = dq/dθ at the optimum of a fit, by linear propagation (delta method).

/// gᵀ C g over the free parameters, C the covariance of θ. NaN if the noise is unknown.
double predicted_variance(const Eigen::VectorXd& g, const Uncertainty& u);
/// Change of q along directions of θ to which the data are blind, relative to the changes of its terms: between 0 and the number of
/// parameters; round-off if the data determine q. Changes far below all other influences on q count as none. variables: transforms of the
/// entries of theta.
double unseen_change(const Eigen::VectorXd& g, const std::vector<DesignVariable>& variables, const std::vector<double>& theta,
                     const Uncertainty& u);
/// Whether q depends on a parameter that is at a bound.
bool depends_on_held(const Eigen::VectorXd& g, const Uncertainty& u);

/// An interval for q, or the reason why there is none or it is unbounded.
struct PredictedInterval {
  double standard_error = 0;     // in q's unit; infinite if the data do not determine q, NaN if unknown
  double lower = 0, upper = 0;   // q ∓ quantile × standard error
  std::string reason = {};
};
/// That of a normal distribution with a known variance, as of a posterior.
PredictedInterval normal_interval(double value, double variance);
/// value: q(θ). gradient, variables and theta: [parameters] each.
PredictedInterval predicted_interval(double value, const std::vector<double>& gradient, const std::vector<DesignVariable>& variables,
                                     const std::vector<double>& theta, const Uncertainty& u);

}  // namespace invar
