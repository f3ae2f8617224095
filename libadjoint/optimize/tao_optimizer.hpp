#pragma once
#include "libadjoint/optimize/optimizer.hpp"

namespace invar {

/// Bounded gradient-based methods of PETSc's TAO for any functional, fields included: rank 0 owns
/// the shared entries, every rank its local ones. Moré-Thuente line search; where an evaluation
/// fails it is shown a rising parabola, so it comes back to a quarter of the step and never accepts
/// the point. J and its gradient are evaluated together: a point whose adjoint fails is rejected
/// like one whose state fails.
/// PETSc options with the prefix `-invar_tao_` reach the solver.
class TaoOptimizer final : public Optimizer {
 public:
  enum class Method {
    quasi_newton,       // BQNLS: limited-memory BFGS on the variables that no bound holds
    conjugate_gradient  // BNCG: projected nonlinear conjugate gradients
  };

  TaoOptimizer(Method method, OptimizerOptions options)
      : method_(method), options_(std::move(options)) {}
  OptimizerResult minimize(ReducedFunctional& functional, const DesignVector& start) override;

 private:
  Method method_;
  OptimizerOptions options_;
};

}  // namespace invar
