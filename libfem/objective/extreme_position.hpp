#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/observable.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// Largest coordinate [m] of a region's nodes with designed coordinates, smoothed by the Kreisselmeier–Steinhauser
/// function (1979):
///   y = 1/k ln Σ exp(k x_i)
/// y exceeds the true maximum by at most ln(n)/k for n nodes. The minimum is −y of −x, a lower bound. Independent of
/// the unknown.
class ExtremePosition final : public Observable {
 public:
  enum class Kind { greatest, least };
  /// sharpness: k times the largest initial extent of the region along an axis; must be positive. Collective. Throws
  /// std::invalid_argument if the region does not exist or is a point.
  ExtremePosition(std::shared_ptr<FormResidual> residual, const std::string& region, int component, Kind kind,
                  double sharpness);

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot,
                   const Controls* d_dot, const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  std::size_t place(int node) const { return std::size_t(node) * residual_->dofs().mesh().dim + component_; }
  /// ∂y/∂x_i per owned node of the region; they add up to one. value: y.
  std::vector<double> shares(const Setting& given, double* value = nullptr) const;
  /// Σ_i share_i ẋ_i, zero without a direction.
  double mean(const std::vector<double>& shares, const double* x_dot) const;
  const double* direction(const Controls* d_dot) const;

  std::shared_ptr<FormResidual> residual_;
  int component_;
  double k_;                // 1/m, negative for the least
  std::vector<int> nodes_;  // owned, of the region
};

}  // namespace invar
