#include "libfluid/flow/pressure_level.hpp"

#include <cmath>
#include <functional>

namespace invar {
namespace {

/// The free rows' norm of ∂r/∂p · q, with q a value per node. It does not depend on the velocity, which is taken such
/// that every viscosity law has a tangent.
double response(FormResidual& residual, int pressure, const std::function<double(int node)>& q) {
  const DofMap& dofs = residual.dofs();
  const Mesh& mesh = dofs.mesh();
  VecHandle u = residual.create_vector(), u_dot = residual.create_vector(), r_dot = residual.create_vector();
  check(VecSet(u_dot, 0.0));
  double *state = nullptr, *direction = nullptr;
  check(VecGetArray(u, &state));
  check(VecGetArray(u_dot, &direction));
  for (int node = 0; node < mesh.n_owned_nodes; ++node) {
    for (int c = 0; c < mesh.dim; ++c) {
      const double* x = &mesh.coordinates[std::size_t(node) * mesh.dim];
      if (const int dof = dofs.dof(node, c); dof >= 0) state[dof] = x[(c + 1) % mesh.dim];  // a shear flow
    }
    if (const int dof = dofs.dof(node, pressure); dof >= 0) direction[dof] = q(node);
  }
  check(VecRestoreArray(u, &state));
  check(VecRestoreArray(u_dot, &direction));
  residual.jvp({u, residual.given()}, u_dot, nullptr, r_dot);
  check(VecGetArray(r_dot, &direction));
  for (const int row : residual.constrained_rows()) direction[row] = 0;
  check(VecRestoreArray(r_dot, &direction));
  double norm = 0;
  check(VecNorm(r_dot, NORM_2, &norm));
  return norm;
}

}  // namespace

bool pressure_level_is_open(FormResidual& residual, int pressure) {
  const DofMap& dofs = residual.dofs();
  std::vector<char> constrained(dofs.n_owned(), 0);
  for (const int row : residual.constrained_rows()) constrained[row] = 1;
  int held = 0;
  for (int node = 0; node < dofs.mesh().n_owned_nodes; ++node)
    if (const int dof = dofs.dof(node, pressure); dof >= 0 && constrained[dof]) held = 1;
  MPI_Allreduce(MPI_IN_PLACE, &held, 1, MPI_INT, MPI_MAX, dofs.comm());
  if (held) return false;
  constexpr double round_off = 1e-9;  // of the response to a pressure that differs from node to node
  const double level = response(residual, pressure, [](int) { return 1.0; });
  const double checkerboard = response(residual, pressure, [](int node) { return node % 2 == 0 ? 1.0 : -1.0; });
  return level <= round_off * checkerboard;
}

}  // namespace invar
