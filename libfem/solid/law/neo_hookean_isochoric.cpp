#include "libfem/solid/law/neo_hookean_isochoric.hpp"

#include "libfem/solid/material_model.hpp"

namespace invar {

template std::unique_ptr<Material> make_material_model<NeoHookeanIsochoric>(Formulation, int);

}  // namespace invar
