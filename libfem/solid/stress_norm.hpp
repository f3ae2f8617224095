#pragma once
#include <memory>
#include <vector>

#include "libadjoint/adaptive_parameters.hpp"
#include "libadjoint/observable.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/objective/function_of.hpp"
#include "libfem/solid/stress_part.hpp"

namespace invar {

/// p-mean of the von Mises stress [Pa] over a domain, (∫ s^p / ∫ 1)^(1/p): smooth, at most the largest stress, and closer to it for
/// larger p. Powers are taken of s/s₂ with the root mean square s₂, so that no p overflows; the value does not depend on s₂, which is
/// not differentiated. Without stress the value and the returned derivatives are 0. If scaled, it is multiplied by the factor that
/// made it equal to the largest stress at the last update (1 before). Le, Norato, Bruns, Ha, Tortorelli, Struct. Multidiscip. Optim.
/// 41 (2010), with an update in every iteration.
class StressNorm final : public Observable, public AdaptiveParameters {
 public:
  /// Adds functionals to the residual, and a control if scaled. exponent: even.
  StressNorm(const std::shared_ptr<FormResidual>& residual, std::vector<StressPart> parts, int exponent, bool scaled = false);

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override;

  std::vector<int> adaptive_controls() const override { return scale_control_ < 0 ? std::vector<int>{} : std::vector{scale_control_}; }
  std::vector<std::vector<double>> adapted(const EvaluationPoint& u) override;

 private:
  /// The norm in units of the root mean square at this state.
  FunctionOf& at(const EvaluationPoint& u);

  std::shared_ptr<FormResidual> residual_;
  std::vector<StressPart> parts_;
  int scale_control_ = -1;
  std::shared_ptr<double> unit_ = std::make_shared<double>(1.0), scale_ = std::make_shared<double>(1.0);
  std::shared_ptr<Observable> squares_, measure_;  // ∫ s² in Pa², ∫ 1
  std::shared_ptr<FunctionOf> norm_;
};

}  // namespace invar
