#pragma once
#include <Eigen/Dense>
#include <string>
#include <vector>

#include "libadjoint/inference/correlation_function.hpp"
#include "libadjoint/inference/measured_places.hpp"

namespace invar {

/// How the errors of one term's data depend on each other. Over the distance h of places in one frame the correlation is f(h), over the
/// difference τ of the times of one place g(τ), and the smaller share times ρ_f(h) ρ_g(τ) where both differ:
///   R = α + β ρ_f δ_τ + β' δ_h ρ_g + γ ρ_f ρ_g,  γ = min(share_f, share_g), β = share_f − γ, β' = share_g − γ, α = 1 − max(share_f, share_g),
/// which is positive semidefinite. Errors of different components are independent.
struct NoiseCorrelation {
  std::string name = {};  // of the term
  int data = 0;
  CorrelationFunction space = {}, time = {};  // as found; none: independent
  double space_probability = 1, time_probability = 1;  // of residuals as correlated as these for independent errors
  std::string doubt = {};  // why it cannot be said whether errors are correlated; empty: it can
  bool spans_data = false; // the correlation length is not small against the range of the data
  double effective_data = 0;     // independent values with a mean as uncertain as that of these: n²/Σ_ij R_ij
  double effective_squares = 0;  // independent values whose mean square scatters as much: n²/Σ_ij R_ij²

  bool is_found() const { return space.is_found() || time.is_found(); }
};

/// Errors of the residuals r of a least-squares fit whose covariance is 1 − U Uᵀ for independent errors of unit variance. All in the samples
/// of the places; U: orthonormal directions of the fit [samples × directions]; rest: see FittedDirections. A correlation is taken for one if residuals are as
/// correlated by chance with a probability below `level`. The unit of r does not matter. The cost is bounded by some million pairs times
/// the number of directions.
NoiseCorrelation find_noise_correlation(const MeasuredPlaces& places, const Eigen::VectorXd& r, const Eigen::MatrixXd& U, const Eigen::MatrixXd& rest,
                                        double level);

/// R X of the samples, X: [samples × columns].
Eigen::MatrixXd correlated_product(const MeasuredPlaces& places, const NoiseCorrelation& noise, const Eigen::MatrixXd& X);

/// A sentence: what was found, and what helps. Empty if errors are independent or nothing can be said.
std::string finding_of(const NoiseCorrelation& noise);

}  // namespace invar
