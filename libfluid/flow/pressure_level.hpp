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

/// `missing` is where the normal velocity is prescribed on the whole boundary, named or not. `pressure`: position of that
/// component; the residual must be finished. `determined`: own unknowns besides those prescribed that have rows of their
/// own to follow from, such as the velocity of a body at rest. Collective.
PressureLevel pressure_level(FormResidual& residual, int pressure, const std::vector<int>& determined = {});

}  // namespace invar
