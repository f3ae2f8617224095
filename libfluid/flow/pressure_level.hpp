#pragma once
#include <vector>

#include "libfem/form/form_residual.hpp"

namespace invar {

/// Whether the level of the pressure is determined.
struct PressureLevel {
  bool held = false;    // prescribed at a point
  bool missing = false;  // adding a constant to the pressure does not change the equations, except that condition
  /// The tangent is singular.
  bool open() const { return missing && !held; }
};

/// Velocities with equations other than those of the flow.
struct BoundVelocities {
  /// Own unknowns, besides prescribed ones, that are determined by other rows, such as the velocity of a body at rest.
  std::vector<int> determined = {};
  /// Nodes of regions that move as rigid bodies: their rows are only the sums of forces and moments (axisymmetric: the sum along the axis).
  /// Other supports of the bodies are not considered.
  std::vector<std::vector<int>> rigid = {};
  bool around_axis = false;
};

/// `missing` is true if the normal velocity is prescribed on the whole boundary, named or not, or if its rigid parts are closed surfaces,
/// so that a constant pressure neither moves nor rotates them. `pressure`: position of that component; velocities come first. The residual
/// must be finished. Collective.
PressureLevel pressure_level(FormResidual& residual, int pressure, const BoundVelocities& bound = {});

}  // namespace invar
