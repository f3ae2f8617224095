#include "libfluid/mesh_motion/mesh_motion_form.hpp"

#include "libfem/form/q_form.hpp"
#include "libfluid/mesh_motion/mesh_elasticity.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_mesh_elasticity(int dim, CellBatches cells) {
  if (dim == 2) return make_form(MeshElasticity<2>{}, std::move(cells));
  return make_form(MeshElasticity<3>{}, std::move(cells));
}

}  // namespace invar
