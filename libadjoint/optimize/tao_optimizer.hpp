#pragma once
#include <cmath>

#include "libadjoint/optimize/search_run.hpp"
#include "libadjoint/optimize/stateful_optimizer.hpp"

namespace invar {

/// What leads back to an iterate: TAO keeps what it knows to itself, but it is called anew every few
/// iterations with nothing but the iterates so far, and within a call it depends on nothing but the
/// values and gradients that it was given.
struct TaoState : SearchState {
  double scale = 1;            // of what TAO sees
  double step = 0;             // length of the last
  int unchanged = 0;           // iterations in a row that did not change the objective
  int begin = 0;               // iteration at which the present call of TAO began
  double begin_value = 0;      // J there
  Eigen::MatrixXd points;      // [n × p] the last iterates up to there, that one included
  Eigen::MatrixXd gradients;   // [n × p] of J at them
  Eigen::VectorXd values;      // [e] J at the points tried in the call, infinite where that failed
  Eigen::MatrixXd tried;       // [n × e] the gradients there

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    SearchState::fields(s, a);
    a(s.scale), a(s.step), a(s.unchanged), a(s.begin), a(s.begin_value);
    a(s.points), a(s.gradients), a(s.values), a(s.tried);
  }
  bool consistent() const {
    const Eigen::Index n = theta.size();
    return std::isnan(value) || (begin <= iteration && points.cols() > 0 && points.rows() == n &&
                                 gradients.cols() == points.cols() && gradients.rows() == n &&
                                 tried.cols() == values.size() && tried.rows() == n);
  }
};

/// Bounded gradient-based methods of PETSc's TAO for any functional, fields included: rank 0 owns
/// the shared entries, every rank its local ones. Moré-Thuente line search; where an evaluation
/// fails it is shown a rising parabola, so it comes back to a quarter of the step and never accepts
/// the point. J and its gradient are evaluated together: a point whose adjoint fails is rejected
/// like one whose state fails.
///
/// TAO is called anew every `quasi_newton_span` or `conjugate_gradient_span` iterations. A new call
/// of quasi_newton gets the curvature of the last `quasi_newton_memory` steps, so that it goes on as
/// before; one of conjugate_gradient begins with a gradient step (a periodic restart, Powell 1977).
/// A restored run has TAO retrace its last call on the values and gradients of the state, without an
/// evaluation, and goes on from there. Throws std::invalid_argument where that does not lead to the
/// state's iterate, as with another version of PETSc.
/// PETSc options with the prefix `-invar_tao_` reach the solver.
class TaoOptimizer final : public StatefulOptimizer<TaoState> {
 public:
  enum class Method {
    quasi_newton,       // BQNLS: limited-memory BFGS on the variables that no bound holds
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
