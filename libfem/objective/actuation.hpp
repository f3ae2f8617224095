#pragma once
#include <memory>

#include "libadjoint/observable.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// Square of a number that the spec designs, of a signal at the present time: what its use costs.
class Actuation final : public Observable {
 public:
  Actuation(std::shared_ptr<FormResidual> residual, int control) : residual_(std::move(residual)), control_(control) {}

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot,
                   const Controls* d_dot, const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  double rate(const EvaluationPoint& u, const Controls* d_dot) const;
  /// d_bar += factor · ∂(number)/∂d, on one rank: derivatives of numbers are shares of a sum.
  void add(const EvaluationPoint& u, double factor, Controls* d_bar) const;

  std::shared_ptr<FormResidual> residual_;
  int control_;
};

}  // namespace invar
