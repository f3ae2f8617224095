#pragma once
#include <array>

namespace invar {

/// Velocity field of a rigid body, v(x) = constant + slope · x. The power of forces in it is their component along a
/// direction, or their moment.
struct RigidVelocity {
  std::array<double, 3> constant{};
  std::array<std::array<double, 3>, 3> slope{};

  /// Rotation about the axis through p: v = axis × (x − p); in 2-D counter-clockwise, for any axis.
  static RigidVelocity about(const std::array<double, 3>& p, const std::array<double, 3>& axis, int dim) {
    const std::array<double, 3> a = dim == 2 ? std::array<double, 3>{0, 0, 1} : axis;
    RigidVelocity v;
    v.slope = {{{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}}};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < dim; ++j) v.constant[i] -= v.slope[i][j] * p[j];
    return v;
  }
};

}  // namespace invar
