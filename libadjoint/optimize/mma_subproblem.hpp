#pragma once
#include <vector>

#include "libadjoint/optimize/entry_layout.hpp"

namespace invar {

/// Separable convex approximation of an objective (function 0) and constraints about a point ξ, in
/// the form of the method of moving asymptotes (Svanberg 1987; in this notation SIAM J. Optim. 12,
/// 2002). With t_j = (x_j − ξ_j) / σ_j, the distance in units of that to the asymptotes,
///   f_i(x) ≈ f_i + Σ_j p_ij t_j / (1 − t_j) − q_ij t_j / (1 + t_j),
///   p_ij = max(a_ij, 0) + ρ_i ω_j / 4,   q_ij = max(−a_ij, 0) + ρ_i ω_j / 4,   a_ij = σ_j ∂f_i/∂x_j,
/// which lies ½ ρ_i Σ ω_j t_j²/(1 − t_j²) above the plain approximation. Equations are linear in t:
/// two such approximations of ±h would leave no step at all between them.
///
/// A constraint may be violated at the price of `cap` per unit (Svanberg's elastic variables), so
/// the subproblem always has a solution and multipliers do not exceed their cap.
struct MmaModel {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Rows slopes;                  // [n × 1+K] a_ij
  Eigen::VectorXd values;       // [1+K] at ξ; the objective's is not used
  Eigen::VectorXd rho;          // [1+K] ≥ 0; unused for equations
  Eigen::VectorXd omega;        // [n] > 0, how ρ is spread over the entries
  std::vector<bool> equation;   // [K]
  Eigen::VectorXd caps;         // [K]
  Eigen::VectorXd lower, upper; // [n] limits of t, within (−1, 1)
};

struct MmaStep {
  Eigen::VectorXd t;            // [n]
  Eigen::VectorXd multipliers;  // [K]
  Eigen::VectorXd predicted;    // [1+K] approximated functions at t; of the objective the change
  double distance = 0;          // ½ Σ ω t²/(1 − t²): what a ρ of one adds to its function
};

/// Minimises the approximation by maximising its dual: Newton's method on the K multipliers within
/// their box, a small quadratic programme per step, on every rank alike; the ranks only exchange
/// sums. `multipliers` is where to start, [K].
MmaStep minimum_of(const MmaModel& model, const EntryLayout& layout, Eigen::VectorXd multipliers);

}  // namespace invar
