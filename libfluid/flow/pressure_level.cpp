#include "libfluid/flow/pressure_level.hpp"

#include <functional>

#include "libfem/mechanism/tied_equation.hpp"

namespace invar {
namespace {

/// The norm of ∂r/∂p · q in the available rows, with nodal values q. It does not depend on the velocity, which is chosen such that
/// every viscosity law has a tangent.
double response(FormResidual& residual, int pressure, const std::vector<char>& held, const std::optional<std::vector<int>>& determined, const TiedEquation* tied,
                const std::function<double(int node)>& q) {
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
  if (tied) return tied->unbalanced_force(u, u_dot, determined ? &*determined : nullptr);
  residual.jvp({u, residual.given()}, u_dot, nullptr, r_dot);
  check(VecGetArray(r_dot, &direction));
  for (std::size_t row = 0; row < held.size(); ++row)
    if (held[row]) direction[row] = 0;
  check(VecRestoreArray(r_dot, &direction));
  double norm = 0;
  check(VecNorm(r_dot, NORM_2, &norm));
  return norm;
}

}  // namespace

PressureLevel pressure_level(FormResidual& residual, int pressure, const std::optional<std::vector<int>>& determined, const TiedEquation* tied) {
  const DofMap& dofs = residual.dofs();
  std::vector<char> held(dofs.n_owned(), 0);
  for (const int row : residual.constrained_rows()) held[row] = 1;
  int at_a_point = 0;
  for (int node = 0; node < dofs.mesh().n_owned_nodes; ++node)
    if (const int dof = dofs.dof(node, pressure); dof >= 0 && held[dof]) at_a_point = 1;
  MPI_Allreduce(MPI_IN_PLACE, &at_a_point, 1, MPI_INT, MPI_MAX, dofs.comm());
  if (determined)
    for (const int row : *determined) held[row] = 1;
  constexpr double round_off = 1e-9;  // relative to the response to a pressure that varies from node to node
  const double level = response(residual, pressure, held, determined, tied, [](int) { return 1.0; });
  const double checkerboard = response(residual, pressure, held, determined, tied, [](int node) { return node % 2 == 0 ? 1.0 : -1.0; });
  return {at_a_point != 0, level <= round_off * checkerboard};
}

}  // namespace invar
