#pragma once
#include "libadjoint/optimize/sqp_run.hpp"
#include "libadjoint/optimize/stateful_optimizer.hpp"

namespace invar {

/// State of the method between iterations.
struct SqpState : SqpRunState {
  Eigen::MatrixXd hessian;  // [n × n] approximate Hessian of the Lagrangian with the scaled objective

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    SqpRunState::fields(s, a);
    a(s.hessian);
  }
  bool consistent() const {
    const Eigen::Index n = at.theta.size();
    return hessian.rows() == n && hessian.cols() == n && ranges.size() == n &&
           weights.size() == multipliers.size();
  }
};

/// Sequential quadratic programming (`SqpRun`) for a smooth functional of few shared variables (up to a few hundred) with bounds
/// and constraints: damped BFGS matrix of the Lagrangian (Powell 1978), dense quadratic programmes by an active-set method. Every
/// rank runs the same iteration with rank 0's numbers. Inconsistent linearised constraints are relaxed by a common factor, as
/// little as possible (Powell's ξ).
class SqpOptimizer final : public StatefulOptimizer<SqpState> {
 public:
  explicit SqpOptimizer(OptimizerOptions options) : StatefulOptimizer(std::move(options)) {}
  /// Throws std::invalid_argument if the functional has local variables.
  OptimizerResult minimize(ReducedFunctional& functional, const DesignVector& start) override;
};

}  // namespace invar
