#pragma once
#include "libfem/form/weak_form.hpp"
#include "libfem/mesh/mesh.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// A copy of the mesh with its nodes, ghosts too, at X + u of a form's state. The displacement has the components 0 … dim − 1 of the space.
inline Mesh mesh_at(const DofMap& dofs, const FormState& at) {
  Mesh mesh = dofs.mesh();
  const double* u = at.unknown[Level::value];
  for (int node = 0; node < mesh.node_total(); ++node)
    for (int i = 0; i < mesh.dim; ++i) {
      const int dof = u ? dofs.dof(node, i) : -1;
      const std::size_t k = std::size_t(node) * mesh.dim + i;
      mesh.coordinates[k] = at.coordinates[k] + (dof < 0 ? 0 : u[dof]);
    }
  return mesh;
}

}  // namespace invar
