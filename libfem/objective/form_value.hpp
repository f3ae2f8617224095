#pragma once
#include <memory>
#include <vector>

#include "libadjoint/observable.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// y = Σ factor ∫ W over forms of a residual: stored energy, work of the loads, compliance.
class FormValue final : public Observable {
 public:
  /// factors: per form of the residual; zero leaves the form out.
  FormValue(std::shared_ptr<FormResidual> residual, std::vector<double> factors);

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  std::shared_ptr<FormResidual> residual_;
  std::vector<double> factors_;
};

}  // namespace invar
