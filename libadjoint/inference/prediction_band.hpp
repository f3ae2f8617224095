#pragma once
#include <vector>

#include "libadjoint/case.hpp"
#include "libadjoint/inference/uncertainty.hpp"
#include "libadjoint/parameterization.hpp"

namespace invar {

/// Limits at each datum of a set, in its unit; not a number where there are none.
struct PredictionBand {
  std::vector<double> lower, upper;                    // of the model's values: confidence band
  std::vector<double> measured_lower, measured_upper;  // of new measurements in these places: prediction band
};

/// Bands along fitted data by linear propagation (delta method): the model's value y(θ) has the variance gᵀ C g, where
/// g = dy/dθ is a row of dρ/dθ in y's unit, ρ = weight (y − target)/σ. A new measurement adds the variance that the fit
/// gives to the data that are there, σ²/weight² times the noise's factor. The limits hold at one place at a time, as those of
/// Seber and Wild, Nonlinear Regression, 1989, section 5.1. They say nothing of the errors of model, mesh and steps.
/// y: the observed values [m]; drho: the set's rows [m × parameters]; variables, theta: [parameters]. There is no band where
/// the weight is zero, and where predicted_interval knows none.
PredictionBand prediction_band(const DataSet& set, const std::vector<double>& y, const Eigen::MatrixXd& drho,
                               const std::vector<DesignVariable>& variables, const std::vector<double>& theta, const Uncertainty& u);
/// The same of a curve that nothing was measured on: y [m] with dy/dθ [m × parameters]. Only the confidence band is known.
PredictionBand prediction_band(const std::vector<double>& y, const Eigen::MatrixXd& dy, const std::vector<DesignVariable>& variables,
                               const std::vector<double>& theta, const Uncertainty& u);

}  // namespace invar
