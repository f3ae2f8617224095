#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/observable.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// The greatest coordinate [m] of a region's nodes where coordinates are designed, smoothed:
///   y = 1/k ln Σ exp(k x_i)
/// (Kreisselmeier and Steinhauser, 1979). It lies above the true one, by at most ln(n)/k for n nodes; the
/// least coordinate is −y of −x and lies below. It depends on no unknown.
class ExtremePosition final : public Observable {
 public:
  enum class Kind { greatest, least };
  /// sharpness: k times the region's size, its greatest extent along an axis before anything moves; must be
  /// positive. Collective. Throws std::invalid_argument where the region is missing or a point.
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
