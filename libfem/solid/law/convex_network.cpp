#include "libfem/solid/law/convex_network.hpp"

#include "libfem/solid/material_model.hpp"

namespace invar {

template std::unique_ptr<Material> make_material_model<ConvexNetwork>(Formulation, int);

}  // namespace invar
