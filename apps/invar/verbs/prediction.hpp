#pragma once
#include <limits>
#include <string>
#include <vector>

#include "apps/invar/problem/problem.hpp"
#include "libadjoint/inference/uncertainty.hpp"

namespace invar {

/// Uncertainty of a quantity due to the fitted parameters.
struct Prediction {
  std::string name;
  double value = 0;
  double standard_error = std::numeric_limits<double>::quiet_NaN();  // infinite: the data do not determine it
  double lower = standard_error, upper = standard_error;             // confidence interval, as the parameters'
  std::string reason = {};                                           // why there is no interval
};

/// Intervals of quantities of results.json, `problem.quantities` or `problem.probes`, by linear propagation (delta method): σ² = gᵀ
/// C g with g = dq/dθ by adjoints and C the covariance of θ. They do not include errors of model, mesh and steps. Parameters at
/// their bounds count as known, unless all are. Collective; the cases must have been solved at θ.
std::vector<Prediction> predict(Problem& problem, const std::vector<Quantity>& quantities, const DesignVector& theta, const Uncertainty& uncertainty);

}  // namespace invar
