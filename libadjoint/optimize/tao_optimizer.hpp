#pragma once
#include "libadjoint/optimize/search_run.hpp"
#include "libadjoint/optimize/stateful_optimizer.hpp"

namespace invar {

/// What is kept of the iterates outside TAO.
struct TaoState : SearchState {
  double scale = 1;   // of what TAO sees
  int unchanged = 0;  // iterations in a row that did not change the objective

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    SearchState::fields(s, a);
    a(s.scale), a(s.unchanged);
  }
  bool consistent() const { return true; }
};

/// Bounded gradient-based methods of PETSc's TAO for any functional, fields included: rank 0 owns
/// the shared entries, every rank its local ones. Moré-Thuente line search; where an evaluation
/// fails it is shown a rising parabola, so it comes back to a quarter of the step and never accepts
/// the point. J and its gradient are evaluated together: a point whose adjoint fails is rejected
/// like one whose state fails.
/// A restored run evaluates its iterate again and begins there with the method's first step.
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
  std::string lost_on_restore() const override;

 private:
  Method method_;
};

}  // namespace invar
