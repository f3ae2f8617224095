#pragma once
#include <memory>

#include "libadjoint/observable.hpp"
#include "libadjoint/residual.hpp"

namespace invar {

/// Work of an equation's residual along a given motion w of its unknowns, w·r(u): the force conjugate to the amplitude of the motion,
/// exerted by supports [N for a unit translation]. The motion must be zero in constrained rows.
class MotionForce final : public Observable {
 public:
  MotionForce(std::shared_ptr<Residual> residual, VecHandle motion) : residual_(std::move(residual)), motion_(std::move(motion)) {}
  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  VecHandle times(double factor) const;

  std::shared_ptr<Residual> residual_;
  VecHandle motion_;
};

}  // namespace invar
