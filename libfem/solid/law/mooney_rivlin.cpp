#include "libfem/solid/law/mooney_rivlin.hpp"

#include "libfem/solid/material_model.hpp"

namespace invar {

template std::unique_ptr<Material> make_material_model<MooneyRivlin>(Formulation, int);

}  // namespace invar
