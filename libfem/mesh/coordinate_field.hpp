#pragma once
#include <vector>

namespace invar {

/// A nodal field that is a function of the nodal coordinates, such as the distance to a wall: one number per local
/// node, ghosts included. Accumulated derivatives are complete for owned entries and undefined for ghosts. Calls are
/// collective.
class CoordinateField {
 public:
  virtual ~CoordinateField() = default;

  /// Computes the field at the coordinates x [node × dim, m]. The functions below refer to the last call.
  virtual void move(const std::vector<double>& x) = 0;
  virtual const std::vector<double>& values() const = 0;

  /// field_dot = ∂field/∂x · x_dot
  virtual void jvp(const double* x_dot, double* field_dot) const = 0;
  /// x_bar += (∂field/∂x)ᵀ field_bar
  virtual void vjp(const double* field_bar, double* x_bar) const = 0;
  /// x_bar_dot += derivative of the result of `vjp` along x_dot while field_bar changes by field_bar_dot.
  virtual void vjp_tangent(const double* x_dot, const double* field_bar, const double* field_bar_dot,
                           double* x_bar_dot) const = 0;
};

}  // namespace invar
