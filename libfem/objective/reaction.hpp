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
/// rotation about the axis, which is fixed when coordinates move. Create it after the residual has all its forms and conditions, and
/// before its first `create_memory`.
class Reaction final : public Observable {
 public:
  using Of = RegionShare::Of;
  /// Positions X of nodes, or X + u of nodes that the unknown displaces: moments balance at X at small strain and in flow, at X + u at
  /// finite strain.
  enum class Arms { undeformed, deformed };
  /// direction: [dim]; not normalised, it scales the result. tied: regions of facets whose nodes are tied to others.
  static std::unique_ptr<Reaction> force(std::shared_ptr<FormResidual> residual, const std::string& region,
                                         const std::vector<double>& direction, Of of = Of::supports,
                                         const std::vector<std::string>& tied = {});
  /// In 3-D about point + s·axis; in 2-D about point, counter-clockwise.
  static std::unique_ptr<Reaction> moment(std::shared_ptr<FormResidual> residual, const std::string& region,
                                          const std::array<double, 3>& point, const std::array<double, 3>& axis,
                                          Of of = Of::supports, const std::vector<std::string>& tied = {}, Arms arms = Arms::undeformed);

  /// The motion of the region's nodes to which it is conjugate, in the mesh as it is and undeformed, times a factor.
  VecHandle motion(double factor) const { return weights({{}, residual_->given()}, share_.pieces[0], factor); }

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
  Reaction(std::shared_ptr<FormResidual> residual, const std::string& region, const Weight& weight, Of of, const std::vector<std::string>& tied, Arms arms);
  using Piece = RegionShare::Piece;
  /// factor · (constant · weight_.constant + slope · (x + displacement)) at the nodes, times the piece's own factors; null: zero.
  VecHandle velocity(const Piece& piece, double factor, double constant, const double* x, Vec displacement) const;
  /// The weights at a state, times factor.
  VecHandle weights(const EvaluationPoint& u, const Piece& piece, double factor) const;
  /// Their change along directions of the state and of the coordinates; empty: there is none.
  VecHandle weights_change(const State& u_dot, const Controls* d_dot, const Piece& piece, double factor) const;
  /// Calls use(position in share_.nodes, node, component, dof).
  template <class Use>
  void for_rows(Use&& use) const;
  /// Adds factor · slopeᵀ r to the displacement and to the coordinates, where they count and are wanted.
  void add_weight_gradient(const Piece& piece, double factor, Vec r, const State& u_bar, Controls* d_bar) const;
  bool position_varies() const { return turns_ && (deformed_ || residual_->coordinates_control() >= 0); }

  std::shared_ptr<FormResidual> residual_;
  Weight weight_;
  RegionShare share_;
  bool turns_ = false;     // whether the slope is nonzero
  bool deformed_ = false;  // whether positions are X + u
};

}  // namespace invar
