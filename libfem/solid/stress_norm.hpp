#pragma once
#include <memory>
#include <vector>

#include "libadjoint/observable.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/objective/function_of.hpp"
#include "libfem/solid/stress_forms.hpp"

namespace invar {

/// The mean of power p of the von Mises stress [Pa] over a domain, (∫ s^p / ∫ 1)^(1/p): smooth, never above the greatest
/// stress, and nearer to it the larger p is. Powers are of s/s₂ with the root mean square s₂, so that they overflow for
/// no p: the value does not depend on that unit, and derivatives know nothing of it. At a state without stress the
/// value is 0 and so are its derivatives, though it has none.
/// Le, Norato, Bruns, Ha, Tortorelli, Struct. Multidiscip. Optim. 41 (2010).
class StressNorm final : public Observable {
 public:
  /// A law with its parameters and where it is: cells, or `side_domains`.
  struct Part {
    StressOf stress;
    std::vector<ControlledValue> parameters;
    std::vector<CellBatches> domains;
  };
  /// Adds functionals to the residual. exponent: even.
  StressNorm(const std::shared_ptr<FormResidual>& residual, const std::vector<Part>& parts, int exponent);

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  /// The norm in units of the root mean square at this state.
  FunctionOf& at(const EvaluationPoint& u);

  std::shared_ptr<double> unit_ = std::make_shared<double>(1.0);
  std::shared_ptr<Observable> squares_, measure_;  // ∫ s² in Pa², ∫ 1
  std::shared_ptr<FunctionOf> norm_;
};

}  // namespace invar
