#include "libfem/solid/law/neo_hookean.hpp"

#include "libfem/solid/material_model.hpp"

namespace invar {

template std::unique_ptr<Material> make_material_model<NeoHookean>(Formulation, int);

}  // namespace invar
