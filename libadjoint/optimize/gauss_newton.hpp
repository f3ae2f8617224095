#pragma once
#include "libadjoint/optimize/stateful_optimizer.hpp"
#include "libadjoint/optimize/truncated_newton.hpp"

namespace invar {

/// Gauss–Newton method for a LeastSquaresFunctional with any number of variables, also with a prior: a `TruncatedNewtonRun` with B = JᵀJ +
/// Λ, J = dρ/dθ, by products with J and Jᵀ (one linear solve each per state). If θ has unit prior variance, the number of iterations
/// depends on the data, not on the number of variables: JᵀJ has as many eigenvalues above 1 as there are resolved directions.
class GaussNewton final : public StatefulOptimizer<TruncatedNewtonState> {
 public:
  explicit GaussNewton(OptimizerOptions options) : StatefulOptimizer(std::move(options)) {}
  /// Throws std::invalid_argument if the functional is no LeastSquaresFunctional or has constraints.
  OptimizerResult minimize(ReducedFunctional& functional, const DesignVector& start) override;
};

}  // namespace invar
