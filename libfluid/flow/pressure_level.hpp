#pragma once
#include <optional>
#include <vector>

#include "libfem/form/form_residual.hpp"

namespace invar {

class TiedEquation;

/// Whether the level of the pressure is determined.
struct PressureLevel {
  bool held = false;    // prescribed at a point
  bool missing = false;  // adding a constant to the pressure does not change the equations, except that condition
  /// The tangent is singular.
  bool open() const { return missing && !held; }
};

/// `missing` is true if the normal velocity is prescribed on the whole boundary, named or not, or if the forces of a constant pressure on rigid
/// parts are balanced by their supports. `pressure`: position of that component; velocities come first. determined: own unknowns, besides
/// prescribed ones, that are determined by other rows, such as the velocity of a body at rest; where it is given, so are the unknowns of the
/// mechanism. tied: the equation that is solved in place of the residual; null: the residual itself. The residual must be finished. Collective.
PressureLevel pressure_level(FormResidual& residual, int pressure, const std::optional<std::vector<int>>& determined = {}, const TiedEquation* tied = nullptr);

}  // namespace invar
