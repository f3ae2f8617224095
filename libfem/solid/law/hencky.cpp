#include "libfem/solid/law/hencky.hpp"

#include "libfem/solid/material_model.hpp"

namespace invar {

template std::unique_ptr<Material> make_material_model<Hencky>(Formulation, int);

}  // namespace invar
