#include "libfem/solid/law/saint_venant_kirchhoff.hpp"

#include "libfem/solid/material_model.hpp"

namespace invar {

template std::unique_ptr<Material> make_material_model<SaintVenantKirchhoff>(Formulation, int);

}  // namespace invar
