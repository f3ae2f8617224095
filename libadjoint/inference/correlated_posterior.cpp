#include "libadjoint/inference/correlated_posterior.hpp"

#include <algorithm>

#include "libadjoint/inference/correlated_fit.hpp"

namespace invar {
namespace {

constexpr double posterior_correlation_level = 0.01;  // probability of a false alarm

/// J along the directions of the posterior and along its free shared entries [data × directions].
Evaluation moved_residuals(LeastSquaresFunctional& functional, const DesignVector& theta, const LaplacePosterior& posterior, Eigen::MatrixXd& C) {
  const Eigen::Index rank = posterior.rank(), all = rank + posterior.free_numbers();
  C.resize(functional.residual_count(), all);
  for (Eigen::Index k = 0; k < all; ++k) {
    DesignVector direction = DesignVector::zeros_like(theta);
    if (k < rank) direction = posterior.direction(static_cast<int>(k));
    else direction.shared[posterior.free_entries()[static_cast<std::size_t>(k - rank)]] = 1;
    Eigen::VectorXd moved;
    if (const Evaluation e = functional.residual_jvp(theta, direction, moved); !e.ok) return e;
    C.col(k) = moved;
  }
  return Evaluation::success(0);
}

}  // namespace

Evaluation correlate_posterior(LeastSquaresFunctional& functional, const DesignVector& theta, const LaplacePosterior& posterior,
                               const std::vector<MeasuredPlaces>& places, int data, CorrelatedPosterior& out) {
  using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;
  Eigen::VectorXd rho;
  MatrixXd C;
  Evaluation e = functional.residuals(theta, rho);
  if (e.ok) e = moved_residuals(functional, theta, posterior, C);
  if (!e.ok) return e;
  // U = C S with U Uᵀ = J H⁻¹ Jᵀ.
  const Index rank = posterior.rank(), all = C.cols();
  MatrixXd S = MatrixXd::Zero(all, all);
  S.topLeftCorner(rank, rank).diagonal() = (1 + posterior.eigenvalues().array()).rsqrt();
  if (all > rank) S.bottomRightCorner(all - rank, all - rank) = Eigen::LLT<MatrixXd>(posterior.free_inverse()).matrixL();
  const MatrixXd U = C * S, whole = U.transpose() * U;
  out = {};
  out.expected = out.degrees = data - posterior.resolved_directions() - posterior.free_numbers();
  out.effective_data = data;
  // Of residuals with covariance P R P + U G Uᵀ, the second part from the errors of the prior: tr of its square, with P² = 1 − U E Uᵀ.
  const MatrixXd G = MatrixXd::Identity(all, all) - whole, E = MatrixXd::Identity(all, all) + G;
  const VectorXd root_of_E = E.diagonal().cwiseSqrt();
  MatrixXd K = MatrixXd::Zero(all, all), inner = whole, images = whole;  // Uᵀ R U, Uᵀ R² U
  double squares = data;
  for (const MeasuredPlaces& of : places) {
    const MatrixXd here = of.at_samples(C), moved = here * S, gram = moved.transpose() * moved;
    const NoiseCorrelation noise = find_noise_correlation(of, of.at_samples(rho), moved, MatrixXd::Identity(all, all) - gram,
                                                          posterior_correlation_level / static_cast<double>(places.size()));
    out.terms.push_back(noise);
    if (!noise.is_found()) continue;
    const MatrixXd RC = correlated_product(of, noise, here), RU = RC * S, change = moved.transpose() * RU - gram;
    K += here.transpose() * (RC - here);
    inner += change;
    out.expected += whole.cwiseProduct(change).sum() - 2 * change.trace();
    images += RU.transpose() * RU - gram;
    squares += noise.data * (noise.data / noise.effective_squares - 1);
    out.strength = std::max(out.strength, noise.data / noise.effective_data);
    out.effective_data += noise.effective_data - of.rows();
    const MisfitChange removed = change_by_removed(of, noise, RU * root_of_E.asDiagonal());
    out.expected += removed.expected, squares += removed.squares;
  }
  if (std::ranges::none_of(out.terms, &NoiseCorrelation::is_found)) return e;
  squares += (E * inner * E * inner).trace() - 2 * (E * images).trace() + 2 * (G * G * inner * G).trace() + (G * whole * G * whole).trace();
  out.degrees = out.expected * out.expected / squares;
  out.K = K;
  return e;
}

}  // namespace invar
