#pragma once
#include <Eigen/Dense>
#include <vector>

#include "libadjoint/inference/noise_correlation.hpp"

namespace invar {

/// What correlated errors change in a least-squares fit ρ ≈ U Uᵀ-projected ε with errors ε of standard deviation w, against independent ones.
struct CorrelatedFit {
  std::vector<NoiseCorrelation> terms;  // of all places, also of those without correlation
  Eigen::MatrixXd excess;               // Uᵀ (C − W²) U, with C the covariance of ε
  double expected = 0;                  // of E χ², χ² = ‖W⁻¹ ρ‖²
  double squares = 0;                   // of tr((P R Pᵀ)²), half the variance of χ²
  double variance_inflation = 1;        // tr(Uᵀ C U) by tr(Uᵀ W² U): mean over the fitted directions
  double effective_data = 0;            // Σ of the terms' effective data, and of data that are in none

  bool is_found() const;
};

/// Looks for correlation in the residuals ρ [m] of a fit whose Jacobian has the range of the orthonormal U [m × rank]. weights: w [m], the
/// same for all residuals of a term, whose correlation is not looked for if it is 0. data: number of measured values of all.
CorrelatedFit correlate_noise(const std::vector<MeasuredPlaces>& places, const Eigen::VectorXd& rho, const Eigen::MatrixXd& U,
                              const Eigen::VectorXd& weights, double data);

/// How the removed directions of the sets change E χ² and tr((P R Pᵀ)²), against independent errors. RU: R times the other directions, which are
/// orthogonal to these [samples × directions].
struct MisfitChange {
  double expected = 0, squares = 0;
};
MisfitChange change_by_removed(const MeasuredPlaces& places, const NoiseCorrelation& noise, const Eigen::MatrixXd& RU);

/// Sentences on the terms whose noise is correlated.
std::vector<std::string> findings_of(const std::vector<NoiseCorrelation>& terms);

}  // namespace invar
