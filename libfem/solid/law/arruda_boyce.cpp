#include "libfem/solid/law/arruda_boyce.hpp"

#include "libfem/solid/material_model.hpp"

namespace invar {

template std::unique_ptr<Material> make_material_model<ArrudaBoyce>(Formulation, int);

}  // namespace invar
