#pragma once
#include <memory>

#include "libfem/objective/volume_axis.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar {

// Functionals of the displacement for path control. The displacement comes first in the unknown; axisymmetric integrals
// are over the full circle, planar ones per metre of depth.

/// −∫ (x_i − origin) n_i da [m³] over deformed facets, x = X + u and n outward; around an axis half of it for the radius, i = 0 (origin 0):
/// the volume of the cavity that they enclose. Gaps closed by planes across another axis, or by the plane x_i = origin, do not contribute.
std::unique_ptr<WeakForm> make_deformed_volume(SolidKind kind, VolumeAxis axis, CellBatches facets);

/// ∫ |u|² [m⁵] over undeformed cells.
std::unique_ptr<WeakForm> make_squared_displacement(SolidKind kind, CellBatches cells);

}  // namespace invar
