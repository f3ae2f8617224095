#pragma once
#include <Eigen/Dense>
#include <string>
#include <vector>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/inference/prediction_band.hpp"
#include "libadjoint/inference/uncertainty.hpp"

namespace invar {

/// Measured values of weight 0, which are no part of a fit: what it predicts of them, in units of their noise (1 where it is unknown).
struct HeldOutSet {
  int case_index = 0, data_set = 0;
  Eigen::VectorXd rho = {};   // (y − target)/σ [m]
  Eigen::MatrixXd drho = {};  // its derivative by the shared entries of θ [m × parameters]
};

/// All of them at θ, exact for the discrete equations: the Jacobian of a fit to them alone. Costs one tangent sweep per case. Observables of
/// transient cases must have been registered (`Case::watch`). The cases are left unchanged. Collective.
Evaluation find_held_out(CaseFunctional& functional, const DesignVector& theta, std::vector<HeldOutSet>& sets);

/// How well a fit predicts values that it was not shown.
struct HeldOutFit {
  int data = 0;
  double r_squared = 0;      // 1 − Σ (y − d)²/Σ (d − mean of d)²; NaN where all measured values are the same
  double root_mean_square = 0;  // of y − d, in its unit
  int banded = 0;            // data whose prediction has an interval
  int outside = 0;           // of these, outside of their 95 % interval: 1 of 20 is expected
  double ratio = 0;          // mean of ((y − d)/its deviation)², about 1 if the model is correct; NaN without intervals
  double chance = 1;         // probability of a ratio this large if the model is correct
  double widening = 1;       // √ratio where the chance is below 1 in 1000: bands that include the error of the model are wider by this factor
  PredictionBand band = {};  // of the model and of measurements there, widened
  std::string finding = {};  // a sentence if the bands were widened
};

/// The deviation of y − d has the variance g C gᵀ of the prediction, with the covariance C of θ, plus that of the data according to the
/// fit: σ² if the noise is known, else the estimated one of data of weight 1. With S the covariance of all differences, `ratio` is taken as
/// distributed like F with m²/‖R‖² degrees of freedom, R the correlation matrix of S (Satterthwaite 1946), and those of the noise. It
/// includes errors of the model, the mesh and the time steps, which intervals of parameters and `PredictionBand` do not.
/// name: of the set, for the finding. y, target: [m]; noise: σ [m]; set: the same [m]; variables and theta: [parameters].
HeldOutFit assess_held_out(const std::string& name, const std::vector<double>& y, const std::vector<double>& target, const std::vector<double>& noise,
                           const HeldOutSet& set, const std::vector<DesignVariable>& variables, const std::vector<double>& theta, const Uncertainty& u);

}  // namespace invar
