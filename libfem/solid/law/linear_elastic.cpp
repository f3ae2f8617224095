#include "libfem/solid/law/linear_elastic.hpp"

#include "libfem/solid/material_model.hpp"

namespace invar {

template std::unique_ptr<Material> make_material_model<LinearElastic>(Formulation, int);

}  // namespace invar
