#pragma once
#include "libadjoint/optimize/search_run.hpp"
#include "libadjoint/optimize/stateful_optimizer.hpp"

namespace invar {

/// What the method keeps of its iterates.
struct GaussNewtonState : SearchState {
  double gain = std::numeric_limits<double>::infinity(), length = gain;  // of the last step

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    SearchState::fields(s, a);
    a(s.gain), a(s.length);
  }
  bool consistent() const { return true; }
};

/// Gauss–Newton's method for a LeastSquaresFunctional of any number of variables, those with a prior among them: steps s with
///   (JᵀJ + Λ) s = −g,   J = dρ/dθ,
/// by conjugate gradients on products with J and Jᵀ (one solve each per state), to a residual of min(½, √(‖g‖/‖g at the start‖)) ‖g‖
/// (Eisenstat and Walker 1996), then a backtracking line search along the step, projected on the bounds. Where θ has unit variance before any
/// data, the iterations count what data tell, not the variables: JᵀJ has as many eigenvalues above 1 as directions are resolved.
/// Variables at a bound that the gradient pushes outwards are held.
class GaussNewton final : public StatefulOptimizer<GaussNewtonState> {
 public:
  explicit GaussNewton(OptimizerOptions options) : StatefulOptimizer(std::move(options)) {}
  /// Throws std::invalid_argument when the functional is no LeastSquaresFunctional or has constraints.
  OptimizerResult minimize(ReducedFunctional& functional, const DesignVector& start) override;
};

}  // namespace invar
