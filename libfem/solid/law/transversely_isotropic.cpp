#include "libfem/solid/law/transversely_isotropic.hpp"

#include "libfem/solid/material_model.hpp"

namespace invar {

template std::unique_ptr<Material> make_material_model<TransverselyIsotropic>(Formulation, int);

}  // namespace invar
