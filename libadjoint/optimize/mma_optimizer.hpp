#pragma once
#include "libadjoint/optimize/constrained_run.hpp"
#include "libadjoint/optimize/stateful_optimizer.hpp"

namespace invar {

/// State of the method between iterations.
struct MmaState : ConstrainedState {
  double move = 1;                    // fraction of the step limits in use
  Eigen::VectorXd previous;           // [n] the previous iterate
  Eigen::VectorXd sigma;              // [n] asymptotes are at θ ± σ
  Eigen::VectorXd curvature;          // [n] estimate of |Δ∂L/∂θ| / |Δθ|
  Eigen::VectorXd rho;                // [1+K] convexity added to objective and constraint sides
  Eigen::VectorXd caps;               // [K] penalty per unit of violation of a side
  Eigen::VectorXd weights;            // [K] penalty weights μ of the equalities

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    ConstrainedState::fields(s, a);
    a(s.move), a(s.previous), a(s.sigma), a(s.curvature), a(s.rho), a(s.caps), a(s.weights);
  }
  bool consistent() const {
    const Eigen::Index n = at.theta.size(), k = multipliers.size();
    return previous.size() == n && sigma.size() == n && curvature.size() == n &&
           ranges.size() == n && rho.size() == 1 + k && caps.size() == k && weights.size() == k;
  }
};

/// Method of moving asymptotes, globally convergent (Svanberg, SIAM J. Optim. 12, 2002), for any number of variables,
/// bounds and few constraints. Each step minimises separable convex approximations. With `conservative` they are made
/// more convex and solved again until they lie above the functions at the new point; without it every step is taken, as
/// in Svanberg 1987.
/// Asymptotes stay between 0.01 and 10 ranges from the iterate. The range of a variable is the distance of its bounds
/// or, if one is infinite, the size of θ (see typical_ranges); the latter grows with the distance from the start, and a
/// step at the limit doubles the next limit. `max_move` limits the step of variables with two finite bounds only.
/// Added convexity is distributed over the variables in proportion to the measured curvature of the Lagrangian, so that
/// one stiff variable does not slow down a field.
/// Equalities are approximated linearly. They enter the conservativity test of the objective through the exact penalty
/// Σ μ |h|, with μ a little above the multiplier (Powell 1978).
/// After a trial whose evaluation fails, the step limits of all variables are halved until one succeeds; each success
/// doubles them again.
class MmaOptimizer final : public StatefulOptimizer<MmaState> {
 public:
  explicit MmaOptimizer(OptimizerOptions options) : StatefulOptimizer(std::move(options)) {}
  OptimizerResult minimize(ReducedFunctional& functional, const DesignVector& start) override;
};

}  // namespace invar
