#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/observable.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// Force [N] along a direction, or moment [N m] about an axis, that the supports of a region exert on
/// the body, by the consistent residual: y = Σ_i w_i r_i(u) over the dofs of the region, r without
/// constraints. Weights: the direction for a force; for a moment the velocity field of a rigid
/// rotation about the axis (in the undeformed configuration).
class Reaction final : public Observable {
 public:
  /// direction: [dim], need not be a unit vector (it scales the result).
  static std::unique_ptr<Reaction> force(std::shared_ptr<FormResidual> residual, const std::string& region,
                                         const std::vector<double>& direction);
  /// In 3-D about point + s·axis; in 2-D about point, counter-clockwise.
  static std::unique_ptr<Reaction> moment(std::shared_ptr<FormResidual> residual, const std::string& region,
                                          const std::array<double, 3>& point, const std::array<double, 3>& axis);

  int size() const override { return 1; }
  void evaluate(Vec u, double* y) override;
  void jvp(Vec u, Vec u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(Vec u, const double* y_bar, Vec u_bar, Controls* d_bar) override;
  void vjp_tangent(Vec u, const double* y_bar, const double* y_bar_dot, Vec u_dot, const Controls* d_dot,
                   Vec u_bar_dot, Controls* d_bar_dot) override;

 private:
  Reaction(std::shared_ptr<FormResidual> residual, VecHandle weights);
  static std::unique_ptr<Reaction> make(std::shared_ptr<FormResidual> residual, const std::string& region,
                                        const std::function<std::array<double, 3>(const double* x)>& weight);

  std::shared_ptr<FormResidual> residual_;
  VecHandle weights_;  // w, zero off the region
};

}  // namespace invar
