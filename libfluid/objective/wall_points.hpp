#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/observable.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfluid/flow/flow_fields.hpp"

namespace invar {

/// A wall in the plane as numbers: x, y [m] and the shear rate −t·(∇u + ∇uᵀ) n [1/s] at each of its Gauss points, which are those of
/// `wall_shear`, in their order along the wall of the mesh as it was read; n out of the fluid, t towards the next point. The rate has the sign of the
/// shear, whatever the viscosity.
class WallPoints final : public Observable {
 public:
  /// Of a flow whose first components are the velocity. Collective. Throws std::invalid_argument where the mesh is not plane or has no such
  /// region of facets.
  WallPoints(std::shared_ptr<FormResidual> residual, FlowKind kind, const std::string& region);

  int count() const { return static_cast<int>(pieces_.size()); }
  /// Of a wall in several pieces, of which the point is one.
  int piece(int point) const { return pieces_[point]; }

  int size() const override { return 3 * count(); }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  /// A Gauss point of a facet that this rank holds, in the cell behind it.
  struct Point {
    int number = 0;               // along the wall
    bool counts = false;          // this rank owns the facet
    double turn = 1;              // 1 where t is n turned to the left, else −1
    double outward = 1;           // −1 where the facet's own normal points into the cell
    std::vector<int> nodes;       // of the cell
    std::vector<int> facet;       // which of these are the facet's
    std::vector<double> N, dN;    // of the cell's places, [node], [node × 2]
    std::vector<double> slopes;   // of the velocity's shape functions, [node × 2]
    std::vector<double> along;    // of the facet's places, [node]
    int velocity_nodes() const { return static_cast<int>(slopes.size()) / 2; }
  };
  /// x, y and rate from the velocity at the nodes of a cell and their places, [node × 2] each, one after the other.
  template <class T>
  static std::array<T, 3> at(const Point& p, const T* inputs);
  /// These inputs of two nodal fields; null: zero.
  std::vector<double> inputs(const Point& p, const double* unknown, const double* places) const;
  /// Adds value(input) to where each input comes from.
  template <class Value>
  void add(const Point& p, Value value, double* unknown, double* places) const;

  std::shared_ptr<FormResidual> residual_;
  std::vector<Point> points_;
  std::vector<int> pieces_;  // of all points
};

}  // namespace invar
