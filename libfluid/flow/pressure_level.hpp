#pragma once
#include <vector>

#include "libfem/form/form_residual.hpp"

namespace invar {

class TiedEquation;

/// What a flow's equations say of the level of its pressure.
struct PressureLevel {
  bool held = false;    // at a point
  bool missing = false;  // a constant may be added to the pressure without a change of the equations but there
  /// The tangent is singular.
  bool open() const { return missing && !held; }
};

/// `missing` is where the normal velocity is prescribed on the whole boundary, named or not, or where the forces that a constant pressure has
/// on rigid parts are balanced by what holds these. `pressure`: position of that component; velocities come first. determined: own unknowns
/// besides those prescribed that have rows of their own to follow from, such as the velocity of a body at rest. tied: what is solved in place
/// of the residual, null: itself. The residual must be finished. Collective.
PressureLevel pressure_level(FormResidual& residual, int pressure, const std::vector<int>& determined = {}, const TiedEquation* tied = nullptr);

}  // namespace invar
