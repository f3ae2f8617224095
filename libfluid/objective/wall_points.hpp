#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/observable.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfluid/flow/flow_fields.hpp"

namespace invar {

/// A wall in 2-D as numbers: x, y [m] and the shear rate −t·(∇u + ∇uᵀ) n [1/s] at each Gauss point of `wall_shear`, in order along the wall
/// of the mesh as read; n points out of the fluid, t towards the next point. The rate has the sign of the shear stress for any viscosity.
class WallPoints final : public Observable {
 public:
  /// For a flow whose first components are the velocity. Collective. Throws std::invalid_argument if the mesh is not 2-D or has no such
  /// facet region.
  WallPoints(std::shared_ptr<FormResidual> residual, FlowKind kind, const std::string& region);

  int count() const { return static_cast<int>(pieces_.size()); }
  /// Piece of the wall that contains the point, if it has several.
  int piece(int point) const { return pieces_[point]; }

  int size() const override { return 3 * count(); }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  /// A Gauss point of a local facet, in the adjacent cell.
  struct Point {
    int number = 0;               // along the wall
    bool counts = false;          // this rank owns the facet
    double turn = 1;              // 1 if t is n rotated to the left, else −1
    double outward = 1;           // −1 where the facet's own normal points into the cell
    std::vector<int> nodes;       // of the cell
    std::vector<int> facet;       // indices of the facet's nodes among these
    std::vector<double> N, dN;    // of the cell's places, [node], [node × 2]
    std::vector<double> slopes;   // of the velocity's shape functions, [node × 2]
    std::vector<double> along;    // of the facet's places, [node]
    int velocity_nodes() const { return static_cast<int>(slopes.size()) / 2; }
  };
  /// x, y and rate from the velocity and positions at the nodes of a cell, [node × 2] each, one after the other.
  template <class T>
  static std::array<T, 3> at(const Point& p, const T* inputs);
  /// These inputs from two nodal fields; null: zero.
  std::vector<double> inputs(const Point& p, const double* unknown, const double* places) const;
  /// Adds value(input) to the source of each input.
  template <class Value>
  void add(const Point& p, Value value, double* unknown, double* places) const;

  std::shared_ptr<FormResidual> residual_;
  std::vector<Point> points_;
  std::vector<int> pieces_;  // of all points
};

}  // namespace invar
