#pragma once
#include "libadjoint/optimize/stateful_optimizer.hpp"
#include "libadjoint/optimize/truncated_newton.hpp"

namespace invar {

/// Newton–CG method for functionals with second derivatives, any number of variables, and bounds: a `TruncatedNewtonRun` with
/// the Hessian of J by the second-order adjoint (two linear solves per state and product).
class NewtonCg final : public StatefulOptimizer<TruncatedNewtonState> {
 public:
  explicit NewtonCg(OptimizerOptions options) : StatefulOptimizer(std::move(options)) {}
  /// Throws std::invalid_argument if the functional has constraints.
  OptimizerResult minimize(ReducedFunctional& functional, const DesignVector& start) override;
};

}  // namespace invar
