#pragma once
#include <Eigen/Dense>
#include <vector>

#include "libadjoint/inference/goodness_of_fit.hpp"
#include "libadjoint/inference/laplace_posterior.hpp"
#include "libadjoint/inference/noise_correlation.hpp"

namespace invar {

/// What the residuals at the most probable θ* say of the errors of the data.
struct CorrelatedPosterior {
  std::vector<NoiseCorrelation> terms;
  Eigen::MatrixXd K;          // Jᵀ(R − 1)J for `LaplacePosterior::widen`, at the stated noise; empty: errors are independent
  double expected = 0;        // E ‖ρ‖²
  double degrees = 0;         // of freedom: ‖ρ‖² scatters like that of as many independent values
  double effective_data = 0;  // as in CorrelatedFit

  double strength = 1;        // largest ratio of data to effective data of a term

  bool is_found() const { return K.size() > 0; }
};

/// The errors of the residuals at θ*, of which P = 1 − J H⁻¹ Jᵀ is left, with the posterior as found at the stated noise. That the correlation is estimated is not allowed for, unlike in a fit of numbers: where a field
/// has as many directions as the data have correlation lengths, it absorbs correlated errors, and bands remain too narrow. Costs a product with J for each eigenpair and each
/// free shared entry, and memory for rank × data numbers. data: number of measured values. Collective.
Evaluation correlate_posterior(LeastSquaresFunctional& functional, const DesignVector& theta, const LaplacePosterior& posterior,
                               const std::vector<MeasuredPlaces>& places, int data, CorrelatedPosterior& out);

}  // namespace invar
