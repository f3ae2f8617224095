#pragma once
#include <Eigen/Dense>

namespace invar {

/// Deleted (externally studentised) residuals of a linearised least-squares fit whose noise is estimated, [m]:
///   t_i = ρ_i / (s₍ᵢ₎ √(1 − h_i)),  h = diag(J (JᵀJ)⁺ Jᵀ),  s₍ᵢ₎² = (‖ρ‖² − ρ_i²/(1 − h_i)) / (ν − 1),
/// the difference of datum i from the fit to the others, in standard deviations that these tell: an outlier does not hide itself by the noise
/// that it adds. For normal noise t_i has Student's distribution with ν − 1 degrees of freedom. 0 where the others determine nothing at i, and
/// where s₍ᵢ₎² is negative: then ρ is not orthogonal to J, as where a search stopped early along directions that the data hardly determine.
/// rho, J: residuals and their Jacobian [m × n], weighted such that the noise of all is the same; inverse: (JᵀJ)⁺ [n × n]; freedom: ν = m − rank. Empty for ν < 2
/// and for an exact fit. Source: Cook, Weisberg, Residuals and Influence in Regression, 1982, section 2.2.
Eigen::VectorXd deleted_residuals(const Eigen::VectorXd& rho, const Eigen::MatrixXd& J, const Eigen::MatrixXd& inverse, int freedom);

/// What the largest of |t_i| exceeds with a probability of at most 5 % if there is no outlier among `data` values: the quantile of Student's
/// distribution with ν − 1 degrees of freedom at 1 − 0.05/(2·data) (Bonferroni).
double outlier_limit(int data, int freedom);
/// The limit of |residual| in standard deviations where these are known: exceeded by a normal error with a probability of 6e-5.
inline constexpr double outlier_limit_of_known_noise = 4;

}  // namespace invar
