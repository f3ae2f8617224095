#pragma once
#include "libadjoint/optimize/constrained_run.hpp"
#include "libadjoint/optimize/stateful_optimizer.hpp"

namespace invar {

/// What the method keeps of its iterates.
struct SqpState : ConstrainedState {
  Eigen::MatrixXd hessian;  // [n × n] approximates that of the Lagrangian of the scaled objective
  Eigen::VectorXd weights;  // [K] μ of the constraint sides
  double reach = 1;         // part of the step that the next search tries first
  int updates = 0;          // of the matrix since it was last begun anew

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    ConstrainedState::fields(s, a);
    a(s.hessian), a(s.weights), a(s.reach), a(s.updates);
  }
  bool consistent() const {
    const Eigen::Index n = at.theta.size();
    return hessian.rows() == n && hessian.cols() == n && ranges.size() == n &&
           weights.size() == multipliers.size();
  }
};

/// Sequential quadratic programming for a smooth functional of few shared variables (to a few
/// hundred), with bounds and constraints: damped BFGS matrix of the Lagrangian (Powell 1978), dense
/// quadratic programmes, backtracking on the exact penalty J + Σ μ · violation with a second-order
/// correction against the Maratos effect (Nocedal and Wright, Numerical Optimization, ch. 18). Every
/// rank runs the same iteration on rank 0's numbers.
///
/// Linearised constraints that contradict each other are relaxed alike, as little as possible
/// (Powell's ξ). A trial whose evaluation fails is rejected and a quarter of the step is tried; the
/// next search begins with four times what succeeded. The first step is about `max_move` typical
/// ranges of the variables long, none longer than ten of them (see typical_ranges).
class SqpOptimizer final : public StatefulOptimizer<SqpState> {
 public:
  explicit SqpOptimizer(OptimizerOptions options) : StatefulOptimizer(std::move(options)) {}
  /// Throws std::invalid_argument when the functional has local variables.
  OptimizerResult minimize(ReducedFunctional& functional, const DesignVector& start) override;
};

}  // namespace invar
