#pragma once
#include "libadjoint/optimize/stateful_optimizer.hpp"
#include "libadjoint/optimize/truncated_newton.hpp"

namespace invar {

/// Gauss–Newton's method for a LeastSquaresFunctional of any number of variables, those with a prior among them: a
/// `TruncatedNewtonRun` with B = JᵀJ + Λ, J = dρ/dθ, by products with J and Jᵀ (one solve each per state). Where θ has unit variance
/// before any data, the iterations count what data tell, not the variables: JᵀJ has as many eigenvalues above 1 as directions are resolved.
class GaussNewton final : public StatefulOptimizer<TruncatedNewtonState> {
 public:
  explicit GaussNewton(OptimizerOptions options) : StatefulOptimizer(std::move(options)) {}
  /// Throws std::invalid_argument when the functional is no LeastSquaresFunctional or has constraints.
  OptimizerResult minimize(ReducedFunctional& functional, const DesignVector& start) override;
};

}  // namespace invar
