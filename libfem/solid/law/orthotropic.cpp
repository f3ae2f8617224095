#include "libfem/solid/law/orthotropic.hpp"

#include "libfem/solid/material_model.hpp"

namespace invar {

template std::unique_ptr<Material> make_material_model<Orthotropic>(Formulation, int);

}  // namespace invar
