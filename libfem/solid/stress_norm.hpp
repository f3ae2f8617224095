#pragma once
#include <memory>
#include <vector>

#include "libadjoint/adaptive_parameters.hpp"
#include "libadjoint/observable.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/objective/function_of.hpp"
#include "libfem/solid/stress_part.hpp"

namespace invar {

/// A smooth approximation of the largest von Mises stress s [Pa] over a domain, from below. Either the p-mean (∫ s^p / ∫ 1)^(1/p), closer to
/// it for larger p: powers are taken of s/s₂ with the root mean square s₂, so that no p overflows. Or ln(∫ cosh(κ s) / ∫ 1)/κ, the aggregate
/// of Kreisselmeier and Steinhauser (IFAC Symposium on computer aided design of control systems, 1979) with cosh in place of exp, which makes
/// it smooth and zero where there is no stress and subtracts ln 2/κ from it elsewhere: exponents are taken relative to the largest stress.
/// Values do not depend on s₂ and that stress, which are not differentiated. Without stress the value and the returned derivatives are 0. If
/// scaled, it is multiplied by the factor that made it equal to the largest stress at the last update (1 before). Le, Norato, Bruns, Ha,
/// Tortorelli, Struct. Multidiscip. Optim. 41 (2010), with an update in every iteration.
class StressNorm final : public Observable, public AdaptiveParameters {
 public:
  /// The p-mean. Adds functionals to the residual, and a control if scaled. exponent: even.
  StressNorm(const std::shared_ptr<FormResidual>& residual, std::vector<StressPart> parts, int exponent, bool scaled = false);
  /// The aggregate with cosh. sharpness: κ > 0 [1/Pa].
  static std::unique_ptr<StressNorm> with_exponentials(const std::shared_ptr<FormResidual>& residual, std::vector<StressPart> parts, double sharpness, bool scaled = false);

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override;

  std::vector<int> adaptive_controls() const override { return scale_control_ < 0 ? std::vector<int>{} : std::vector{scale_control_}; }
  std::vector<std::vector<double>> adapted(const EvaluationPoint& u) override;

 private:
  StressNorm(const std::shared_ptr<FormResidual>& residual, std::vector<StressPart> parts, bool scaled);
  /// The aggregate in the units of this state.
  FunctionOf& at(const EvaluationPoint& u);

  std::shared_ptr<FormResidual> residual_;
  std::vector<StressPart> parts_;
  int scale_control_ = -1;
  double sharpness_ = 0;                           // 0: powers
  std::shared_ptr<double> unit_ = std::make_shared<double>(1.0), scale_ = std::make_shared<double>(1.0);  // unit: s₂, or κ times the largest stress
  std::shared_ptr<Observable> squares_, measure_;  // ∫ s² in Pa², ∫ 1
  std::shared_ptr<FunctionOf> norm_;
};

}  // namespace invar
