#pragma once
#include <Eigen/Dense>
#include <string>
#include <vector>

#include "libadjoint/inference/measured_places.hpp"
#include "libadjoint/inference/noise_correlation.hpp"
#include "libadjoint/variable_transform.hpp"

namespace invar {

/// One inferred parameter at the result of a fit.
struct FittedParameter {
  std::string name;
  VariableTransform transform;
  double theta = 0;       // optimiser coordinate at the optimum
  bool at_bound = false;  // at a bound: excluded from the intervals
};

/// Half width of a two-sided 95 % interval of a normal distribution, in standard deviations.
inline constexpr double normal_quantile_95 = 1.959963984540054;

struct UncertaintyOptions {
  /// Weights w by which (model − data)/σ was multiplied, [residuals]; empty: 1. Residuals with weight 0 are no data. With known noise the
  /// covariance is that of the weighted estimate; else σ is taken as proportional to 1/w.
  Eigen::VectorXd weights = {};
  /// How many measured values each residual stands for, [residuals]; empty: 1. Example: 1/n for each of the n residuals of a mean square.
  Eigen::VectorXd counts = {};
  /// Where and when residuals were measured; those that are not listed are independent of all others. Correlation that the residuals show is
  /// taken into account.
  std::vector<MeasuredPlaces> places = {};
  /// true: the residuals are (model − data)/σ with the true σ. false: σ is known only up to a
  /// common factor, which is estimated from the misfit.
  bool known_noise = true;
  double confidence = 0.95;
  /// Singular values of the scaled sensitivity below this fraction of the largest count as zero: the direction is
  /// unidentifiable. The value is above the round-off of an adjoint or tangent Jacobian (1e-10).
  double rank_tolerance = 1e-7;
  /// A parameter with a sensitivity norm below this fraction of the largest has no influence.
  double sensitivity_tolerance = 1e-8;
  /// Collinearity index (1 / smallest singular value of the sensitivity with unit columns) from which a warning is
  /// given; Brun, Reichert, Künsch 2001 call 5 to 20 critical.
  double collinearity_limit = 20;
};

/// Estimate of one parameter. Values are physical.
struct ParameterEstimate {
  std::string name;
  double value = 0;
  double standard_error = 0;  // infinite if unidentifiable; NaN at a bound or without estimate
  double lower = 0, upper = 0;  // confidence interval; the same special values
  bool at_bound = false;
  bool identifiable = true;
};

/// From the standard deviation of its θ. The interval is θ ± quantile · deviation, transformed. Deviation and interval are NaN at a
/// bound, infinite for an infinite deviation.
ParameterEstimate estimate_parameter(const FittedParameter& p, double deviation, double quantile);

/// Linearised (Gauss-Newton, Laplace) uncertainty of a least-squares fit at its optimum.
struct Uncertainty {
  std::vector<ParameterEstimate> parameters;  // in the order given
  Eigen::MatrixXd covariance;       // [n × n] of θ; pseudo-inverse, NaN in held parameters
  Eigen::MatrixXd correlation;      // [n × n]; NaN where there is no variance
  Eigen::VectorXd singular_values;  // of the sensitivity with unit columns, free parameters
  /// Directions of relative change dp/p of the physical parameters that do not change any datum, one per column [n ×
  /// n_null], largest entry 1.
  Eigen::MatrixXd null_directions;
  double chi_squared = 0;       // ‖(model − data)/σ‖² if the noise is known, else ‖ρ‖²
  int degrees_of_freedom = 0;   // data − identifiable directions
  double effective_freedom = 0; // χ² scatters like that of as many independent values; the same number where errors are independent
  double expected_chi_squared = 0;  // for the stated noise; with estimated noise of variance 1
  double variance_inflation = 1;  // of the fitted directions, by correlation: CorrelatedFit
  double effective_data = 0;    // independent values with means as uncertain as those of the data
  std::vector<NoiseCorrelation> noise_correlations;  // of the places in the options
  Eigen::VectorXd widening;     // [n] intervals of θ against those for independent errors; 1 where nothing is correlated, NaN if there is no interval
  int data = 0;                     // measured values, those of weight 0 excluded
  double negative_log_evidence = 0; // of the model: model_evidence.hpp
  bool known_noise = true;      // as in the options
  double noise_variance = 1;    // factor on the variance of (model − data)/σ if the noise is known, else of the weighted residuals
  double quantile = 0;          // half width of an interval in standard errors
  double collinearity = 1;      // 1 / smallest identifiable singular value
  Eigen::VectorXd deleted_residuals;  // [m] of estimated noise: deleted_residuals.hpp; empty: there are none
  std::vector<std::string> findings;  // sentences; empty: nothing to report

  /// Whether a direction that changes no datum changes this parameter together with others.
  bool is_inseparable(Eigen::Index parameter) const;
};

/// From the weighted residuals ρ [m] and their Jacobian J = dρ/dθ [m × n] at the optimum. With known noise the covariance
/// is (JᵀJ)⁻¹ JᵀW²J (JᵀJ)⁻¹, with W = diag(weights), and the quantile is normal. With estimated noise it is χ²/(m − n) (JᵀJ)⁻¹ and
/// the quantile that of Student's t. Where the misfit is larger than the known noise allows, the covariance is multiplied by the ratio
/// of χ² to its expected value, and the quantile is that of Student's t, too. Where residuals are correlated (noise_correlation.hpp), so are errors: with their
/// covariance W R W, or R where the noise is estimated, the covariance of θ is that of the same estimate, (JᵀJ)⁻¹ JᵀW R W J (JᵀJ)⁻¹ (sandwich), χ² is
/// compared with tr(P R Pᵀ), and the quantile is Student's with tr(P R Pᵀ)²/tr((P R Pᵀ)²) degrees of freedom, or a third of the effective data where this is less. Intervals of logarithmic
/// parameters are computed in θ and transformed, so they are not symmetric and never change sign. Throws
/// std::invalid_argument if sizes do not fit or a number is not finite.
Uncertainty estimate_uncertainty(const Eigen::VectorXd& rho, const Eigen::MatrixXd& drho,
                                 const std::vector<FittedParameter>& parameters,
                                 const UncertaintyOptions& options = {});

}  // namespace invar
