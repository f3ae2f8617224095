#include "libfem/solid/law/holzapfel_gasser_ogden.hpp"

#include "libfem/solid/material_model.hpp"

namespace invar {

template std::unique_ptr<Material> make_material_model<HolzapfelGasserOgden>(Formulation, int);

}  // namespace invar
