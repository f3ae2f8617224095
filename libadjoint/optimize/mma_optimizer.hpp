#pragma once
#include "libadjoint/optimize/constrained_run.hpp"
#include "libadjoint/optimize/stateful_optimizer.hpp"

namespace invar {

/// What the method keeps of its iterates.
struct MmaState : ConstrainedState {
  double move = 1;                    // part of the step limits in use
  Eigen::VectorXd previous;           // [n] the iterate before
  Eigen::VectorXd sigma;              // [n] asymptotes are at θ ± σ
  Eigen::VectorXd curvature;          // [n] |Δ∂L/∂θ| / |Δθ|, roughly
  Eigen::VectorXd rho;                // [1+K] steepness added to objective and constraint sides
  Eigen::VectorXd caps;               // [K] price of violating a side
  Eigen::VectorXd weights;            // [K] μ of the equations

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

/// The method of moving asymptotes, globally convergent (Svanberg, SIAM J. Optim. 12, 2002), for
/// any number of variables, bounds and few constraints: each step minimises separable convex
/// approximations, made steeper and solved again until they lie above the functions at the new
/// point (`conservative`; without it each step is taken as it comes, as in Svanberg 1987).
///
/// Ranges: the asymptotes stay between 0.01 and 10 ranges from the iterate. The range of a variable
/// is the distance of its bounds or, where one is infinite, the size of θ (see typical_ranges); it
/// then grows with the way gone, and a step against the limit doubles the next. `max_move` limits
/// the step of variables with two finite bounds only.
///
/// What makes the approximations steeper is spread over the variables by how the gradient of the
/// Lagrangian has answered to their moves, so that one stiff variable does not hold back a field.
///
/// Equations are approximated linearly. Their part in the objective that must be conservative is the
/// exact penalty Σ μ |h|, with μ a little above the multiplier (Powell 1978).
///
/// A trial whose evaluation fails is rejected and the limits of the step are halved, for all
/// variables alike, until one succeeds; each success doubles them again.
class MmaOptimizer final : public StatefulOptimizer<MmaState> {
 public:
  explicit MmaOptimizer(OptimizerOptions options) : StatefulOptimizer(std::move(options)) {}
  OptimizerResult minimize(ReducedFunctional& functional, const DesignVector& start) override;
};

}  // namespace invar
