#pragma once
#include <Eigen/Dense>
#include <vector>

#include "libadjoint/optimize/entry_layout.hpp"
#include "libadjoint/reduced_functional.hpp"

namespace invar {

struct PosteriorOptions {
  double smallest = 0.1;    // smallest eigenvalue to compute: directions with smaller ones keep their prior variance, which shrinks by less than this
  double tolerance = 1e-7;  // on residuals of eigenpairs, relative to 1 + eigenvalue
  int block = 8;            // products between two convergence checks
  int rank = 2000;          // largest number of eigenpairs
  int most = 2000;          // largest dimension of the Krylov subspace
  unsigned seed = 1;
};

/// Laplace approximation of the posterior of design variables with a normal prior, at the most probable θ*: a normal distribution with
/// covariance (JᵀJ + Λ)⁻¹ (Gauss–Newton Hessian; exact if ρ is linear in θ). Local entries have prior precision 1; shared entries may have
/// a prior (Λ > 0) or none. With A = J_sᵀJ_s + Λ_s and the Hessian of the local entries after elimination of the shared ones (Schur
/// complement),
///   H = J_lᵀ (1 − J_s A⁻¹ J_sᵀ) J_l ≈ V diag(λ) Vᵀ,
/// the covariance of the local entries is 1 − V diag(λ/(1 + λ)) Vᵀ: only directions with λ ≳ 1 are resolved. Eigenpairs are computed by a
/// randomised block Krylov method with full orthogonalisation (Musco and Musco 2015) that starts from random combinations of the data,
/// with one product with J and one with Jᵀ per dimension; the low-rank form follows Bui-Thanh, Ghattas, Martin and Stadler 2013.
class LaplacePosterior {
 public:
  explicit LaplacePosterior(PosteriorOptions options = {}) : options_(options) {}

  /// Computes the posterior at θ*. Shared variables at a bound count as known. Fails if a solve fails, if there are local entries without a
  /// prior, or if the data do not determine the shared variables. Collective.
  Evaluation find(LeastSquaresFunctional& functional, const DesignVector& theta);

  /// Multiplies the standard deviation of the noise by `factor`. The shared entries must have no prior.
  void inflate(double factor);

  /// Takes into account that errors of the data are correlated: the covariance becomes that of the same θ* under such errors, H⁻¹ + H⁻¹ Jᵀ(R − 1)J
  /// H⁻¹ with the whole Hessian H, where R is their correlation and θ is drawn from the prior (sandwich). K = Jᵀ(R − 1)J in the coordinates of
  /// `direction` and, after these, of the free shared entries, each in units of the noise as inflated.
  void widen(const Eigen::MatrixXd& K);
  /// What `widen` added to the covariance in these coordinates; empty: nothing.
  const Eigen::MatrixXd& excess() const { return excess_; }

  const Eigen::VectorXd& eigenvalues() const { return lambda_; }  // λ, descending
  int products() const { return products_; }                      // number of products with each of J and Jᵀ
  int free_numbers() const { return static_cast<int>(free_.size()); }  // shared entries that are not at a bound
  int rank() const { return static_cast<int>(lambda_.size()); }
  /// Whether there are further eigenvalues above the threshold, which the options exclude: then variances and resolved directions are those
  /// of the computed ones alone.
  bool is_truncated() const { return truncated_; }
  /// The i-th eigenvector, of length 1; its shared entries are 0.
  DesignVector eigenvector(int i) const;
  /// The same with the shared entries at which the data fit best besides: v and −Bᵀ v.
  DesignVector direction(int i) const;
  const std::vector<int>& free_entries() const { return free_; }  // shared entries that are not at a bound
  const Eigen::MatrixXd& free_inverse() const { return inverse_; }  // A⁻¹
  /// Σ λ/(1 + λ): number of directions of the local entries that the data determine.
  double resolved_directions() const;
  /// ½ Σ ln(1 + λ), nats.
  double information_gain() const;
  /// −ln p(data) up to a constant that does not depend on the prior: −ln p(data, θ*) + ½ ln det(JᵀJ + Λ) (MacKay 1992). value: J(θ*).
  double negative_log_evidence(double value) const;
  /// The same for the comparison with models that have other shared entries: these get a prior with the information of one of `data` data, as
  /// in model_evidence.hpp, so that units and start values do not matter. The shared entries must have no prior.
  double negative_log_model_evidence(double value, double data) const;
  /// Factor on the prior's standard deviation that maximises the evidence, to first order: √(‖θ_l*‖²/Σ λ/(1 + λ)) (MacKay 1992, fixed-point
  /// re-estimation), common to all local entries. Collective.
  double preferred_scale() const;
  /// Covariance of the shared entries; zeros for those at a bound.
  const Eigen::MatrixXd& shared_covariance() const { return shared_covariance_; }
  /// Variance gᵀ Σ g of a quantity with gradient g. Collective.
  double variance(const DesignVector& g) const;
  /// θ* + L z with L Lᵀ the covariance: a draw from the posterior if the entries of z are independent and standard normal (`white_noise`). Entries
  /// of z of variables at a bound are not read. Collective.
  DesignVector draw(const DesignVector& z) const;

 private:
  Evaluation find_shared();
  Evaluation multiply(const Eigen::VectorXd& v, Eigen::VectorXd& out);
  void extend(Eigen::MatrixXd& Q, const Eigen::MatrixXd& block) const;
  Evaluation first_block(Eigen::MatrixXd& block);
  Evaluation find_pairs();
  void cover_shared();
  Eigen::VectorXd local_of(const DesignVector& x) const;
  Eigen::MatrixXd summed(Eigen::MatrixXd here) const;

  PosteriorOptions options_;
  LeastSquaresFunctional* functional_ = nullptr;  // during `find`
  MPI_Comm comm_ = MPI_COMM_NULL;
  DesignVector theta_;
  int products_ = 0;
  std::vector<int> free_;               // shared entries that are not at a bound
  Eigen::MatrixXd J_s_, inverse_;       // [m × free], A⁻¹ [free × free]
  Eigen::MatrixXd B_;                   // J_lᵀ J_s A⁻¹ [local × free]
  double log_det_shared_ = 0;           // ln det A
  Eigen::VectorXd lambda_;
  bool truncated_ = false;
  Eigen::MatrixXd V_;                   // [local × rank]
  Eigen::MatrixXd shared_covariance_;
  Eigen::MatrixXd excess_;              // [rank + free]², or empty
  Eigen::MatrixXd root_;                // symmetric root of the widened covariance in the same coordinates, or empty
};

}  // namespace invar
