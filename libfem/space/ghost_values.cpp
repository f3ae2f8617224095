#include "libfem/space/ghost_values.hpp"

#include <algorithm>

namespace invar {

void update_ghost_values(const DofMap& dofs, std::vector<double>& at_nodes) {
  const Mesh& mesh = dofs.mesh();
  const std::vector<PetscInt> ghosts(mesh.ghost_nodes.begin(), mesh.ghost_nodes.end());
  VecHandle values;
  check(VecCreateGhost(dofs.comm(), mesh.n_owned_nodes, PETSC_DETERMINE, static_cast<PetscInt>(ghosts.size()), ghosts.data(), values.out()));
  double* owned = nullptr;
  check(VecGetArray(values, &owned));
  std::copy_n(at_nodes.begin(), mesh.n_owned_nodes, owned);
  check(VecRestoreArray(values, &owned));
  const LocalArray local(values);
  std::copy_n(local.data(), at_nodes.size(), at_nodes.begin());
}

}  // namespace invar
