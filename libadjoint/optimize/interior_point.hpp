#pragma once
#include "libadjoint/optimize/sqp_run.hpp"
#include "libadjoint/optimize/stateful_optimizer.hpp"

namespace invar {

/// State of the method between iterations.
struct InteriorPointState : SqpRunState {
  Eigen::VectorXd diagonal;        // [n] initial diagonal of the limited-memory matrix
  Eigen::MatrixXd steps, changes;  // [n × r] latest steps, normalised by the diagonal, and the changes of the gradient along them

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    SqpRunState::fields(s, a);
    a(s.diagonal), a(s.steps), a(s.changes);
  }
  bool consistent() const {
    const Eigen::Index n = at.theta.size();
    return diagonal.size() == n && steps.rows() == n && changes.rows() == n && steps.cols() == changes.cols() && ranges.size() == n &&
           weights.size() == multipliers.size();
  }
};

/// Sequential quadratic programming (`SqpRun`) for smooth functionals of many variables, fields included, with bounds and many
/// constraints: limited-memory BFGS matrix of the Lagrangian with Powell's damping (Byrd, Nocedal, Schnabel, Math. Programming 63,
/// 1994); quadratic programmes by an interior-point method (`interior_minimum_of`), whose cost does not depend on the number of active
/// constraints.
class InteriorPoint final : public StatefulOptimizer<InteriorPointState> {
 public:
  explicit InteriorPoint(OptimizerOptions options) : StatefulOptimizer(std::move(options)) {}
  OptimizerResult minimize(ReducedFunctional& functional, const DesignVector& start) override;
};

}  // namespace invar
