#include "libfem/solid/law/ogden.hpp"

#include "libfem/solid/material_model.hpp"

namespace invar {

template std::unique_ptr<Material> make_material_model<Ogden>(Formulation, int);

}  // namespace invar
