#pragma once
#include <memory>

#include "libfem/objective/volume_axis.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar {

// Functionals of the displacement for path control. The displacement comes first in the unknown; axisymmetric integrals
// are over the full circle, planar ones per metre of depth.

/// −∫ F n_i da [m³] over deformed facets, x = X + u and n outward, with the field F of `axis`: the volume of the cavity that they enclose.
std::unique_ptr<WeakForm> make_deformed_volume(SolidKind kind, VolumeAxis axis, CellBatches facets);

/// ∫ |u|² [m⁵] over undeformed cells.
std::unique_ptr<WeakForm> make_squared_displacement(SolidKind kind, CellBatches cells);

}  // namespace invar
