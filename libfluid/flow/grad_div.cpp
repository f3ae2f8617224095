#include "libfluid/flow/grad_div.hpp"

#include <algorithm>
#include <cmath>

namespace invar {
namespace {

double over_ranks(double value, MPI_Op op, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, op, comm);
  return value;
}

/// The largest magnitude on this rank that a condition prescribes at time t.
double largest_value(const FormResidual& residual, const DirichletCondition& condition, double t) {
  const Mesh& mesh = residual.dofs().mesh();
  double amplitude = 0;
  for (double v : residual.control_values()[condition.value.control]) amplitude = std::max(amplitude, std::abs(v));
  if (!condition.value.shape) return amplitude;
  double largest = 0;
  const Region* region = mesh.find_region(condition.region);
  if (!region || condition.outside) return 0;
  for (int node : region->nodes)
    largest = std::max(largest, std::abs(condition.value.shape(&mesh.coordinates[std::size_t(node) * mesh.dim], t)));
  return amplitude * largest;
}

/// The smallest extent of the mesh along an axis.
double smallest_extent(const Mesh& mesh, MPI_Comm comm) {
  double smallest = HUGE_VAL;
  for (int i = 0; i < mesh.dim; ++i) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (std::size_t k = i; k < mesh.coordinates.size(); k += mesh.dim) {
      low = std::min(low, mesh.coordinates[k]);
      high = std::max(high, mesh.coordinates[k]);
    }
    smallest = std::min(smallest, over_ranks(high, MPI_MAX, comm) - over_ranks(low, MPI_MIN, comm));
  }
  return smallest;
}

}  // namespace

double suggested_grad_div(const FormResidual& residual, double density, double t) {
  const Mesh& mesh = residual.dofs().mesh();
  const MPI_Comm comm = residual.dofs().comm();
  double speed = 0;
  for (const DirichletCondition& condition : residual.dirichlet_conditions())
    if (condition.component < mesh.dim) speed = std::max(speed, largest_value(residual, condition, t));
  return 0.025 * density * over_ranks(speed, MPI_MAX, comm) * smallest_extent(mesh, comm);
}

}  // namespace invar
