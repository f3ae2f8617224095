#pragma once
#include <Eigen/Dense>
#include <vector>

#include "libadjoint/inference/lag_pairs.hpp"

namespace invar {

/// How a fit turns errors e of unit variance into residuals r = e − U (Uᵀ e + z), with z independent of e and of covariance `rest`. If errors are
/// independent and rest = 1 − Uᵀ U, the covariance of r is 1 − U Uᵀ.
/// For a least-squares fit, U holds the rows of an orthonormal basis of the Jacobian that belong to the data considered.
/// For a posterior mode its columns are scaled by √(λ/(1 + λ)).
struct FittedDirections {
  Eigen::MatrixXd U;     // [data × directions]
  Eigen::MatrixXd rest;  // [directions × directions]
  /// Further orthonormal directions that were removed from the data of one block: those from `first` on.
  struct Block {
    int first = 0, count = 0;    // data
    Eigen::MatrixXd removed = {};  // [count × directions]
  };
  std::vector<Block> blocks;  // of all data; pairs do not leave a block, and channels are in the order of the blocks
  std::vector<std::size_t> first_channels;  // [blocks + 1]
};

/// Sums q_b of products of residuals at lag b (a class of distances), and their expected values for independent and for correlated errors. With
/// A_b the symmetric matrix of the pairs of lag b (A_0 = 1) and P = 1 − U Uᵀ without the removed directions:
///   q_b = rᵀ A_b r,  E q_b = s² (Σ_c R_c M_bc + o_b),  M_bc = tr(A_b P A_c P),
/// where s² is the variance, R_c the correlation at lag c and o_b the contribution of `rest`. For independent normal errors the covariance of q is
/// 2 s⁴ M for any fit (Cliff and Ord, Spatial Processes, 1981, chapter 8, for one A).
class Correlogram {
 public:
  Correlogram(const LagPairs& pairs, const Eigen::VectorXd& r, const FittedDirections& fitted);

  struct Test {
    double probability = 1;  // of sums as large as these for independent errors
    double strength = 0;     // largest excess of a weighted sum over its expected value, in standard deviations
    double power = 0;        // expected strength where errors have a correlation length of two neighbours
  };
  /// Of positive correlation: rᵀ K r / rᵀ r for weights that fall off over one, two and four neighbours, the largest of the three. Its
  /// distribution is simulated for few pairs, as finely as a decision at that level of probability needs; else it is taken as normal, with
  /// Bonferroni's bound.
  Test test(double level) const;

  /// The function that follows the sums best by least squares, of the kinds given, with weights by Cressie, Statistics for Spatial Data,
  /// 1993, section 2.6.2. The length is between a quarter of the distance of neighbours and the largest distance.
  CorrelationFunction fit(const std::vector<CorrelationFunction::Kind>& kinds) const;

  /// Observed correlation at each lag, not corrected for the fit.
  Eigen::VectorXd observed() const;

 private:
  struct Trial {
    CorrelationFunction f;
    double cost = 0;
  };
  Eigen::VectorXd products(const Eigen::VectorXd& r) const;
  void find_moments();
  Eigen::VectorXd strengths(const Eigen::VectorXd& q) const;
  double simulated_probability(double strength, double level) const;
  Trial with_share(CorrelationFunction f, const Eigen::VectorXd& weights) const;
  Trial best(CorrelationFunction::Kind kind, const Eigen::VectorXd& weights) const;
  Eigen::VectorXd weights_at(const CorrelationFunction& f) const;

  const LagPairs& pairs_;
  const FittedDirections& fitted_;
  Eigen::VectorXd q_;         // [1 + lags]
  Eigen::MatrixXd M_;         // [1 + lags]²
  Eigen::VectorXd expected_;  // E q for independent errors of unit variance
  Eigen::MatrixXd kernels_;   // [1 + lags × kernels] weights of the test
  Eigen::VectorXd means_, deviations_;  // of the weighted sums
};

}  // namespace invar
