#pragma once
#include <vector>

#include "libadjoint/inference/uncertainty.hpp"
#include "libadjoint/parameterization.hpp"

namespace invar {

// Of a quantity q(θ) with the gradient g = dq/dθ at the optimum of a fit, by linear propagation (delta method).

/// gᵀ C g over the parameters that are free, C the covariance of θ. NaN where the noise is not known.
double predicted_variance(const Eigen::VectorXd& g, const Uncertainty& u);
/// How much q changes along directions of θ that no datum sees, against what its parts change by: 0 to the number of
/// parameters, and round-off where the data determine q. variables: transforms of the entries of theta.
double unseen_change(const Eigen::VectorXd& g, const std::vector<DesignVariable>& variables, const std::vector<double>& theta,
                     const Uncertainty& u);
/// Whether q depends on a parameter that a bound holds.
bool depends_on_held(const Eigen::VectorXd& g, const Uncertainty& u);

}  // namespace invar
