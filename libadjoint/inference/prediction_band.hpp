#pragma once
#include <vector>

#include "libadjoint/case.hpp"
#include "libadjoint/inference/uncertainty.hpp"
#include "libadjoint/parameterization.hpp"

namespace invar {

/// Limits at each datum of a set, in its unit; NaN if there are none.
struct PredictionBand {
  std::vector<double> lower, upper;                    // confidence band of the model's values
  std::vector<double> measured_lower, measured_upper;  // prediction band of new measurements at the same places
};

/// Bands along fitted data by linear propagation (delta method): the model's value y(θ) has variance gᵀ C g, where g = dy/dθ is a
/// row of dρ/dθ in y's unit, ρ = weight (y − target)/σ. A new measurement adds the variance of the data according to the fit: the
/// noise factor times σ² if the noise is known, else times σ²/weight². The limits are pointwise (Seber and Wild, Nonlinear Regression, 1989, section 5.1). They do
/// not include errors of model, mesh and time steps.
/// y: the observed values [m]; drho: the set's rows [m × parameters]; variables, theta: [parameters]. There is no band if the weight
/// is zero or predicted_interval has none.
PredictionBand prediction_band(const DataSet& set, const std::vector<double>& y, const Eigen::MatrixXd& drho,
                               const std::vector<DesignVariable>& variables, const std::vector<double>& theta, const Uncertainty& u);
/// The confidence band of a curve without measurements: y [m] with dy/dθ [m × parameters].
PredictionBand prediction_band(const std::vector<double>& y, const Eigen::MatrixXd& dy, const std::vector<DesignVariable>& variables,
                               const std::vector<double>& theta, const Uncertainty& u);

}  // namespace invar
