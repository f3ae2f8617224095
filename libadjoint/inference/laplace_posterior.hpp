#pragma once
#include <Eigen/Dense>
#include <random>
#include <vector>

#include "libadjoint/optimize/entry_layout.hpp"
#include "libadjoint/reduced_functional.hpp"

namespace invar {

struct PosteriorOptions {
  double smallest = 0.1;    // eigenvalue: directions with less are as uncertain as before (their variance shrinks by less than that)
  double tolerance = 1e-7;  // residuals of eigenpairs, relative to 1 + eigenvalue
  int block = 8;            // products between two looks
  int most = 2000;          // dimension of the subspace
  unsigned seed = 1;
};

/// What data leave uncertain of design variables with a normal prior, near the most probable ones θ*: a normal distribution with the covariance
/// (JᵀJ + Λ)⁻¹ (Laplace's approximation with the Gauss–Newton matrix; exact where ρ is linear in θ). Local entries have the prior
/// precision 1; shared ones may be known (Λ > 0) or not. With A = J_sᵀJ_s + Λ_s and what data say of the local entries once the
/// shared ones are fitted besides,
///   H = J_lᵀ (1 − J_s A⁻¹ J_sᵀ) J_l ≈ V diag(λ) Vᵀ,
/// the local entries' covariance is 1 − V diag(λ/(1 + λ)) Vᵀ: only directions with λ of order 1 or more are resolved. Eigenpairs by a randomised
/// block Krylov method with full orthogonalisation (Musco and Musco 2015), one product with J and one with Jᵀ for each dimension
/// (Bui-Thanh, Ghattas, Martin and Stadler 2013 have the idea of the low rank).
class LaplacePosterior {
 public:
  explicit LaplacePosterior(PosteriorOptions options = {}) : options_(options) {}

  /// At θ*. Shared variables at a bound count as known. Fails where a solve does, where local entries without a prior are there, or where
  /// the data do not determine the shared variables. Collective.
  Evaluation find(LeastSquaresFunctional& functional, const DesignVector& theta);

  /// As if the noise's standard deviation were so many times what was stated. Needs shared entries without a prior.
  void inflate(double factor);

  const Eigen::VectorXd& eigenvalues() const { return lambda_; }  // λ, descending
  int products() const { return products_; }                      // with J and Jᵀ each
  int rank() const { return static_cast<int>(lambda_.size()); }
  /// v of number i; the shared entries are 0. Of length 1.
  DesignVector eigenvector(int i) const;
  /// Σ λ/(1 + λ): how many directions of the local entries the data determine.
  double resolved_directions() const;
  /// ½ Σ ln(1 + λ), nats.
  double information_gain() const;
  /// −ln p(data) but for what does not depend on the prior: −ln p(data, θ*) + ½ ln det(JᵀJ + Λ) (MacKay 1992). value: J(θ*).
  double negative_log_evidence(double value) const;
  /// By what the prior's standard deviation would have to be multiplied for the evidence to be largest, to first order: √(‖θ_l*‖²/Σ λ/(1 + λ))
  /// (MacKay 1992, the fixed point of his re-estimation). Of all local entries together. Collective.
  double preferred_scale() const;
  /// Covariance of the shared entries; those that are held have zeros.
  const Eigen::MatrixXd& shared_covariance() const { return shared_covariance_; }
  /// gᵀ Σ g of a quantity with the gradient g. Collective.
  double variance(const DesignVector& g) const;
  /// θ* plus a draw. random: of this rank for its local entries; `shared`: in the same state on all ranks. Collective.
  DesignVector sample(std::mt19937_64& random, std::mt19937_64& shared) const;

 private:
  Evaluation find_shared();
  Evaluation multiply(const Eigen::VectorXd& v, Eigen::VectorXd& out);
  void extend(Eigen::MatrixXd& Q, const Eigen::MatrixXd& block) const;
  Evaluation find_pairs();
  void cover_shared();
  Eigen::VectorXd local_of(const DesignVector& x) const;
  Eigen::MatrixXd summed(Eigen::MatrixXd here) const;

  PosteriorOptions options_;
  LeastSquaresFunctional* functional_ = nullptr;  // in `find`
  MPI_Comm comm_ = MPI_COMM_NULL;
  DesignVector theta_;
  int products_ = 0;
  std::vector<int> free_;               // shared entries that count
  Eigen::MatrixXd J_s_, inverse_;       // [m × free], A⁻¹ [free × free]
  Eigen::MatrixXd B_;                   // J_lᵀ J_s A⁻¹ [local × free]
  double log_det_shared_ = 0;           // ln det A
  Eigen::VectorXd lambda_;
  Eigen::MatrixXd V_;                   // [local × rank]
  Eigen::MatrixXd shared_covariance_;
};

}  // namespace invar
