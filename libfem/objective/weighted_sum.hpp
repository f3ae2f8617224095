#pragma once
#include <memory>
#include <vector>

#include "libadjoint/observable.hpp"

namespace invar {

/// y = Σ_k w_k a_k with constant weights.
class WeightedSum final : public Observable {
 public:
  /// weights: one per entry of `parts`.
  WeightedSum(std::shared_ptr<Observable> parts, std::vector<double> weights);

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  double sum(const std::vector<double>& parts) const;
  std::vector<double> times(double factor) const;

  std::shared_ptr<Observable> parts_;
  std::vector<double> weights_;
};

}  // namespace invar
