#pragma once
#include <vector>

#include "libfem/form/form_residual.hpp"

namespace invar {

/// What a flow's equations say of the level of its pressure.
struct PressureLevel {
  bool held = false;    // at a point
  bool missing = false;  // a constant may be added to the pressure without a change of the equations but there
  /// The tangent is singular.
  bool open() const { return missing && !held; }
};

/// Where velocities have other rows than those of the flow.
struct BoundVelocities {
  /// Own unknowns besides those prescribed that have rows of their own to follow from, such as the velocity of a body at rest.
  std::vector<int> determined = {};
  /// Nodes of a region each that move as a rigid body: of their rows there are the sums of forces and moments only. Around an axis: the sum
  /// along it. What else holds the body is not looked at.
  std::vector<std::vector<int>> rigid = {};
  bool around_axis = false;
};

/// `missing` is where the normal velocity is prescribed on the whole boundary, named or not, or where what is rigid in it is closed, so that
/// a constant pressure neither shifts nor turns it. `pressure`: position of that component; velocities come first. The residual must be
/// finished. Collective.
PressureLevel pressure_level(FormResidual& residual, int pressure, const BoundVelocities& bound = {});

}  // namespace invar
