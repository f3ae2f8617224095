#include "libfem/solid/rigid_body_modes.hpp"

#include <algorithm>

namespace invar {

NullSpaceHandle rigid_body_modes(const DofMap& dofs) {
  NullSpaceHandle modes;
  const Mesh& mesh = dofs.mesh();
  if (dofs.block_size() != mesh.dim) return modes;
  VecHandle x;
  check(VecCreateMPI(dofs.comm(), dofs.n_owned(), PETSC_DETERMINE, x.out()));
  check(VecSetBlockSize(x, mesh.dim));
  double* a = nullptr;
  check(VecGetArray(x, &a));
  std::copy_n(mesh.coordinates.begin(), dofs.n_owned(), a);  // node by node, like the dofs
  check(VecRestoreArray(x, &a));
  check(MatNullSpaceCreateRigidBody(x, modes.out()));
  return modes;
}

}  // namespace invar
