#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// ∫ ρ χ (X_i + u_i) [kg m] over cells or facets of the undeformed body, axisymmetric ones (x = r) over the full
/// circle, planar ones per metre of depth; without a component ∫ ρ χ [kg]. Their quotient is a coordinate of the
/// centre of mass of the deformed body. The displacement comes first in the unknown. Coefficients: reference density
/// ρ [kg/m³, of facets kg/m²]; χ, the share that counts, which is zero where the region in question has no part.
/// ref_dim: of the domain, that of the mesh or one less. component: −1 for none.
std::unique_ptr<WeakForm> make_mass_moment(int component, int ref_dim, bool axisymmetric, CellBatches domain);

}  // namespace invar
