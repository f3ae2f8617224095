#include "libfem/solid/law/gent.hpp"

#include "libfem/solid/material_model.hpp"

namespace invar {

template std::unique_ptr<Material> make_material_model<Gent>(Formulation, int);

}  // namespace invar
