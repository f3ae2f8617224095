#pragma once
#include "libadjoint/optimize/sqp_run.hpp"
#include "libadjoint/optimize/stateful_optimizer.hpp"

namespace invar {

/// What the method keeps of its iterates.
struct SqpState : SqpRunState {
  Eigen::MatrixXd hessian;  // [n × n] approximates that of the Lagrangian of the scaled objective

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

/// Sequential quadratic programming (`SqpRun`) for a smooth functional of few shared variables (to a few hundred), with bounds
/// and constraints: damped BFGS matrix of the Lagrangian (Powell 1978), dense quadratic programmes by active sets. Every rank runs
/// the same iteration on rank 0's numbers. Linearised constraints that contradict each other are relaxed alike, as little
/// as possible (Powell's ξ).
class SqpOptimizer final : public StatefulOptimizer<SqpState> {
 public:
  explicit SqpOptimizer(OptimizerOptions options) : StatefulOptimizer(std::move(options)) {}
  /// Throws std::invalid_argument when the functional has local variables.
  OptimizerResult minimize(ReducedFunctional& functional, const DesignVector& start) override;
};

}  // namespace invar
