#pragma once
#include <memory>

#include "libadjoint/observable.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/objective/function_of.hpp"

namespace invar {

/// The value of a control that is a number, as the equation sees it: for a load with unknown factor the computed load.
class NumberValue final : public Observable {
 public:
  NumberValue(std::shared_ptr<FormResidual> residual, int control) : residual_(std::move(residual)), control_(control) {}

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot,
                   const Controls* d_dot, const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  std::shared_ptr<FormResidual> residual_;
  int control_;
};

/// Square of a number (of a signal at the present time): the cost of actuation.
std::shared_ptr<FunctionOf> make_actuation(std::shared_ptr<FormResidual> residual, int control);

}  // namespace invar
