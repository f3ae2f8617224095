#pragma once
#include <memory>

#include "libadjoint/observable.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// The entry of one cell in a control that is a cell field.
class CellValue final : public Observable {
 public:
  /// cell: local number on the rank `owner`, which owns it; not read on other ranks.
  CellValue(std::shared_ptr<FormResidual> residual, int control, int owner, int cell)
      : residual_(std::move(residual)), control_(control), owner_(owner), cell_(cell) {}

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot,
                   const Controls* d_dot, const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  bool mine() const;
  double shared(double value) const;

  std::shared_ptr<FormResidual> residual_;
  int control_, owner_, cell_;
};

}  // namespace invar
