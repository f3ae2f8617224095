#include "libfluid/flow/pressure_level.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace invar {
namespace {

/// The square of the force that `rows` [owned dof] are on these nodes together, and of the moment about their middle over their extent. The rows
/// become zero. Collective.
double take_resultant(const DofMap& dofs, const std::vector<int>& nodes, bool around_axis, double* rows) {
  const Mesh& mesh = dofs.mesh();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double least[3] = {infinity, infinity, infinity}, most[3] = {-infinity, -infinity, -infinity};
  const auto place = [&](int node, int i) { return mesh.coordinates[std::size_t(node) * mesh.dim + i]; };
  for (const int node : nodes)
    for (int i = 0; i < mesh.dim && node < mesh.n_owned_nodes; ++i)
      least[i] = std::min(least[i], place(node, i)), most[i] = std::max(most[i], place(node, i));
  MPI_Allreduce(MPI_IN_PLACE, least, 3, MPI_DOUBLE, MPI_MIN, dofs.comm());
  MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_DOUBLE, MPI_MAX, dofs.comm());
  double extent = 0, sums[6] = {};
  for (int i = 0; i < mesh.dim; ++i) extent = std::max(extent, most[i] - least[i]);
  for (const int node : nodes) {
    if (node >= mesh.n_owned_nodes) continue;
    double x[3] = {}, f[3] = {};
    for (int i = 0; i < mesh.dim; ++i) {
      const int dof = dofs.dof(node, i);
      if (dof < 0) continue;
      x[i] = extent > 0 ? (place(node, i) - 0.5 * (least[i] + most[i])) / extent : 0;
      f[i] = std::exchange(rows[dof], 0.0);
    }
    for (int i = 0; i < 3; ++i) {
      sums[i] += f[i];
      sums[3 + i] += x[(i + 1) % 3] * f[(i + 2) % 3] - x[(i + 2) % 3] * f[(i + 1) % 3];
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 6, MPI_DOUBLE, MPI_SUM, dofs.comm());
  if (around_axis) return sums[1] * sums[1];
  return std::inner_product(sums, sums + 6, sums, 0.0);
}

/// The norm of ∂r/∂p · q in the rows that there are, with q a value per node. It does not depend on the velocity, which is taken such
/// that every viscosity law has a tangent.
double response(FormResidual& residual, int pressure, const std::vector<char>& held, const BoundVelocities& bound, const std::function<double(int node)>& q) {
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
  for (std::size_t row = 0; row < held.size(); ++row)
    if (held[row]) direction[row] = 0;
  double square = 0;
  for (const std::vector<int>& nodes : bound.rigid) square += take_resultant(dofs, nodes, bound.around_axis, direction);
  check(VecRestoreArray(r_dot, &direction));
  double norm = 0;
  check(VecNorm(r_dot, NORM_2, &norm));
  return std::sqrt(norm * norm + square);
}

}  // namespace

PressureLevel pressure_level(FormResidual& residual, int pressure, const BoundVelocities& bound) {
  const DofMap& dofs = residual.dofs();
  std::vector<char> held(dofs.n_owned(), 0);
  for (const int row : residual.constrained_rows()) held[row] = 1;
  int at_a_point = 0;
  for (int node = 0; node < dofs.mesh().n_owned_nodes; ++node)
    if (const int dof = dofs.dof(node, pressure); dof >= 0 && held[dof]) at_a_point = 1;
  MPI_Allreduce(MPI_IN_PLACE, &at_a_point, 1, MPI_INT, MPI_MAX, dofs.comm());
  for (const int row : bound.determined) held[row] = 1;
  constexpr double round_off = 1e-9;  // of the response to a pressure that differs from node to node
  const double level = response(residual, pressure, held, bound, [](int) { return 1.0; });
  const double checkerboard = response(residual, pressure, held, bound, [](int node) { return node % 2 == 0 ? 1.0 : -1.0; });
  return {at_a_point != 0, level <= round_off * checkerboard};
}

}  // namespace invar
