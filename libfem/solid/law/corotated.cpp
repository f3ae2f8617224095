#include "libfem/solid/law/corotated.hpp"

#include "libfem/solid/material_model.hpp"

namespace invar {

template std::unique_ptr<Material> make_material_model<Corotated>(Formulation, int);

}  // namespace invar
