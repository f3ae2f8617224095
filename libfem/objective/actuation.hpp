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
  void evaluate(const State& u, double* y) override;
  void jvp(const State& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const State& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const State& u, const double* y_bar, const double* y_bar_dot, const State& u_dot,
                   const Controls* d_dot, const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  double rate(const Controls* d_dot) const;
  /// d_bar += factor · ∂(number)/∂d, on one rank: derivatives of numbers are shares of a sum.
  void add(double factor, Controls* d_bar) const;

  std::shared_ptr<FormResidual> residual_;
  int control_;
};

}  // namespace invar
