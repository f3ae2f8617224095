#pragma once
#include <vector>

#include "libadjoint/optimize/entry_layout.hpp"

namespace invar {

/// Separable convex approximation of an objective (function 0) and constraints about a point ξ, in the form of the
/// method of moving asymptotes (Svanberg 1987; notation of SIAM J. Optim. 12, 2002). With t_j = (x_j − ξ_j) / σ_j,
/// where σ_j is the distance of the asymptotes,
///   f_i(x) ≈ f_i + Σ_j p_ij t_j / (1 − t_j) − q_ij t_j / (1 + t_j),
///   p_ij = max(a_ij, 0) + ρ_i ω_j / 4,   q_ij = max(−a_ij, 0) + ρ_i ω_j / 4,   a_ij = σ_j ∂f_i/∂x_j.
/// ρ_i adds ½ ρ_i Σ ω_j t_j²/(1 − t_j²). Equalities are linear in t: convex approximations of both h and −h would leave
/// no feasible step.
/// Constraints may be violated at the price of `cap` per unit (Svanberg's elastic variables), so the subproblem always
/// has a solution, and multipliers do not exceed their cap.
struct MmaModel {
  Eigen::MatrixXd slopes;       // [n × 1+K] a_ij
  Eigen::VectorXd values;       // [1+K] at ξ; the objective's is not used
  Eigen::VectorXd rho;          // [1+K] ≥ 0; unused for equations
  Eigen::VectorXd omega;        // [n] > 0, distribution of ρ over the entries
  std::vector<bool> equation;   // [K]
  Eigen::VectorXd caps;         // [K]
  Eigen::VectorXd lower, upper; // [n] limits of t, within (−1, 1)
};

struct MmaStep {
  Eigen::VectorXd t;            // [n]
  Eigen::VectorXd multipliers;  // [K]
  Eigen::VectorXd predicted;    // [1+K] approximated functions at t; for the objective its change
  double distance = 0;          // ½ Σ ω t²/(1 − t²): the contribution of ρ = 1
};

/// Minimises the approximation by maximising its dual: Newton's method for the K multipliers within their box, with a
/// small quadratic programme per step, replicated on every rank; ranks only exchange sums. `multipliers`: initial
/// guess, [K].
MmaStep minimum_of(const MmaModel& model, const EntryLayout& layout, Eigen::VectorXd multipliers);

}  // namespace invar
