#include "libfem/solid/law/yeoh.hpp"

#include "libfem/solid/material_model.hpp"

namespace invar {

template std::unique_ptr<Material> make_material_model<Yeoh>(Formulation, int);

}  // namespace invar
