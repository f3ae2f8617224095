#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/observable.hpp"
#include "libfem/objective/region_share.hpp"

namespace invar {

/// Force [N] along a direction, or moment [N m] about an axis, that the supports of a region, or everything that acts on its
/// surface, exerts on the body. It is computed from the consistent residual: y = Σ_i w_i f_i(u), where f is the region's part of the
/// unconstrained residual r (`RegionShare`). Weights w: the direction for a force; for a moment the velocity field of a rigid
/// rotation about the axis (of undeformed solids; the axis is fixed when coordinates move). Create it after the residual has all its
/// forms and conditions, and before its first `create_memory`.
class Reaction final : public Observable {
 public:
  using Of = RegionShare::Of;
  /// direction: [dim]; not normalised, it scales the result. tied: regions of facets whose nodes are tied to others.
  static std::unique_ptr<Reaction> force(std::shared_ptr<FormResidual> residual, const std::string& region,
                                         const std::vector<double>& direction, Of of = Of::supports,
                                         const std::vector<std::string>& tied = {});
  /// In 3-D about point + s·axis; in 2-D about point, counter-clockwise.
  static std::unique_ptr<Reaction> moment(std::shared_ptr<FormResidual> residual, const std::string& region,
                                          const std::array<double, 3>& point, const std::array<double, 3>& axis,
                                          Of of = Of::supports, const std::vector<std::string>& tied = {});

  /// The motion of the region's nodes to which it is conjugate, in the mesh as it is, times a factor.
  VecHandle motion(double factor) const { return weights(residual_->given(), share_.pieces[0], factor); }

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  /// Weight of a node at x: constant + slope · x, a rigid velocity field.
  struct Weight {
    std::array<double, 3> constant{};
    std::array<std::array<double, 3>, 3> slope{};
  };
  Reaction(std::shared_ptr<FormResidual> residual, const std::string& region, const Weight& weight, Of of, const std::vector<std::string>& tied);
  using Piece = RegionShare::Piece;
  /// factor · (constant + slope · x) times the piece's own factors, or with x_dot: factor · slope · x_dot.
  VecHandle weights(const Setting& given, const Piece& piece, double factor, const double* x_dot = nullptr) const;
  /// d_bar[coordinates] += factor · slopeᵀ r, where it is wanted.
  void add_weight_gradient(const Piece& piece, double factor, Vec r, Controls* d_bar) const;
  const double* coordinate_direction(const Controls* d_dot) const;

  std::shared_ptr<FormResidual> residual_;
  Weight weight_;
  RegionShare share_;
  bool turns_ = false;  // whether the slope is nonzero and coordinates are designed
};

}  // namespace invar
