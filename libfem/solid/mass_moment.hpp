#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// ∫ ρ χ (X_i + u_i) [kg m] over cells or facets of the undeformed body; axisymmetric (x = r): over the full circle,
/// planar: per metre of depth. Without a component ∫ ρ χ [kg]. Their quotient is a coordinate of the deformed body's
/// centre of mass. The displacement comes first in the unknown. Coefficients: reference density ρ [kg/m³, of facets
/// kg/m²]; the weight χ, zero outside the region of interest. ref_dim: dimension of the domain, that of the mesh or one
/// less. component: −1 for none.
std::unique_ptr<WeakForm> make_mass_moment(int component, int ref_dim, bool axisymmetric, CellBatches domain);

}  // namespace invar
