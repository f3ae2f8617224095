#include "libfem/solid/law/convex_network.hpp"

#include "libfem/solid/material_model.hpp"

namespace invar {

template std::unique_ptr<Material> make_material_model<ConvexNetwork<1>>(Formulation);

}  // namespace invar
