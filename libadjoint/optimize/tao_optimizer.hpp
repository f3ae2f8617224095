#pragma once
#include <cmath>

#include "libadjoint/optimize/search_run.hpp"
#include "libadjoint/optimize/stateful_optimizer.hpp"

namespace invar {

/// Data from which an iterate of TAO can be reproduced. TAO does not expose its state, but it is called again every few
/// iterations with the iterates so far as only input, and within a call it depends only on the values and gradients
/// that it received.
struct TaoState : SearchState {
  double scale = 1;            // factor on the objective for TAO
  double step = 0;             // length of the last step
  int unchanged = 0;           // consecutive iterations without a change of the objective
  int begin = 0;               // iteration at which the present call of TAO began
  double begin_value = 0;      // J there
  Eigen::MatrixXd points;      // [n × p] the last iterates up to that one, included
  Eigen::MatrixXd gradients;   // [n × p] of J at them
  Eigen::VectorXd values;      // [e] J at the points tried in the present call; infinite after a failure
  Eigen::MatrixXd tried;       // [n × e] gradients at the points tried
  int held_back = 0;           // 1: rejected trials have shortened the last step

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    SearchState::fields(s, a);
    a(s.scale), a(s.step), a(s.unchanged), a(s.begin), a(s.begin_value);
    a(s.points), a(s.gradients), a(s.values), a(s.tried);
    a.newer(s.held_back);
  }
  bool consistent() const {
    const Eigen::Index n = theta.size();
    return std::isnan(value) || (begin <= iteration && points.cols() > 0 && points.rows() == n &&
                                 gradients.cols() == points.cols() && gradients.rows() == n &&
                                 tried.cols() == values.size() && tried.rows() == n);
  }
};

/// Bound-constrained gradient methods of PETSc's TAO for any functional, fields included: rank 0 owns the shared
/// entries, every rank its local ones. Moré–Thuente line search; where an evaluation fails, TAO receives an increasing
/// parabola, so that it returns to a quarter of the step and never accepts the point; the first point after it with a sufficiently lower J is
/// the next iterate, from which TAO is called again. J and its gradient are evaluated
/// together: a point whose adjoint fails is rejected like one whose state fails.
/// TAO is called again every `quasi_newton_span` or `conjugate_gradient_span` iterations. A new call of quasi_newton
/// receives the curvature of the last `quasi_newton_memory` steps and continues as before; one of conjugate_gradient
/// begins with a gradient step (periodic restart, Powell 1977). A restored run repeats TAO's last call with the saved
/// values and gradients, without evaluations, and continues from there. It throws std::invalid_argument if this does
/// not reproduce the saved iterate, for example with another version of PETSc. PETSc options with the prefix
/// `-invar_tao_` apply to the solver.
class TaoOptimizer final : public StatefulOptimizer<TaoState> {
 public:
  enum class Method {
    quasi_newton,       // BQNLS: limited-memory BFGS for the variables that are not at a bound
    conjugate_gradient  // BNCG: projected nonlinear conjugate gradients
  };

  TaoOptimizer(Method method, OptimizerOptions options)
      : StatefulOptimizer(std::move(options)), method_(method) {}
  OptimizerResult minimize(ReducedFunctional& functional, const DesignVector& start) override;

  static constexpr int quasi_newton_memory = 20;  // steps
  static constexpr int quasi_newton_span = 20, conjugate_gradient_span = 100;

 private:
  Method method_;
};

}  // namespace invar
