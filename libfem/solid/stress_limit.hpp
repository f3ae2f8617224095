#pragma once
#include <memory>
#include <vector>

#include "libadjoint/adaptive_parameters.hpp"
#include "libadjoint/local_limits.hpp"
#include "libadjoint/observable.hpp"
#include "libfem/objective/function_of.hpp"
#include "libfem/solid/stress_part.hpp"

namespace invar {

/// Augmented Lagrangian of limits on the von Mises stress at every point of a domain: the mean over the domain of λ h + μ/2 h²
/// (`make_stress_excess`), to be added to the objective. Each point has its own multiplier λ; the cost is one number per point and one
/// adjoint for all limits. An update replaces λ by λ + μ h and increases μ. Second derivatives jump where a limit becomes active.
class StressLimit final : public Observable, public AdaptiveParameters, public LocalLimits {
 public:
  struct Options {
    double limit = 1;                   // Pa
    double penalty = 10, growth = 1.1;  // initial μ, and its growth per round
    double largest_penalty = 1e4;
  };
  /// Adds functionals and controls to the residual. The domains are those of cells, one per part, or of their sides (`side_domains`), as many
  /// for every part; limits apply at their quadrature points.
  StressLimit(const std::shared_ptr<FormResidual>& residual, std::vector<StressPart> parts, const Options& options);

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override { mean_->evaluate(u, y); }
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override { mean_->jvp(u, u_dot, d_dot, y_dot); }
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override { mean_->vjp(u, y_bar, u_bar, d_bar); }
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override {
    mean_->vjp_tangent(u, y_bar, y_bar_dot, u_dot, d_dot, u_bar_dot, d_bar_dot);
  }

  std::vector<int> adaptive_controls() const override;
  std::vector<std::vector<double>> adapted(const EvaluationPoint& u) override;
  LimitStatus status(const EvaluationPoint& u) override;

 private:
  /// visit(q, stress, g) for point q of every cell.
  template <class Visit>
  void visit_points(const EvaluationPoint& u, CellsOf which, const Visit& visit) const;

  std::shared_ptr<FormResidual> residual_;
  std::vector<StressPart> parts_;  // one domain per point of a cell
  Options options_;
  std::vector<int> multipliers_;   // controls: λ of each point of a cell or of its sides, one per cell
  int penalty_;                    // control: μ
  std::shared_ptr<FunctionOf> mean_;
};

}  // namespace invar
