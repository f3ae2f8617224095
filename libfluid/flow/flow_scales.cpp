#include "libfluid/flow/flow_scales.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

/// The extents of these nodes along the axes, [dim]; negative: there are none.
std::vector<double> extents(const Mesh& mesh, const std::vector<int>& nodes, MPI_Comm comm) {
  std::vector<double> all;
  for (int i = 0; i < mesh.dim; ++i) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const int node : nodes) {
      const double x = mesh.coordinates[std::size_t(node) * mesh.dim + i];
      low = std::min(low, x);
      high = std::max(high, x);
    }
    all.push_back(over_ranks(high, MPI_MAX, comm) - over_ranks(low, MPI_MIN, comm));
  }
  return all;
}

}  // namespace

double prescribed_speed(const FormResidual& residual, double t) {
  const Mesh& mesh = residual.dofs().mesh();
  double speed = 0;
  for (const DirichletCondition& condition : residual.dirichlet_conditions())
    if (condition.component < mesh.dim) speed = std::max(speed, largest_value(residual, condition, t));
  return over_ranks(speed, MPI_MAX, residual.dofs().comm());
}

double smallest_extent(const FormResidual& residual) {
  const Mesh& mesh = residual.dofs().mesh();
  std::vector<int> nodes(mesh.node_total());
  std::iota(nodes.begin(), nodes.end(), 0);
  return std::ranges::min(extents(mesh, nodes, residual.dofs().comm()));
}

double largest_extent(const FormResidual& residual, const std::vector<std::string>& regions) {
  const Mesh& mesh = residual.dofs().mesh();
  std::vector<int> nodes;
  for (const std::string& name : regions)
    if (const Region* region = mesh.find_region(name)) nodes.insert(nodes.end(), region->nodes.begin(), region->nodes.end());
  return std::max(0.0, std::ranges::max(extents(mesh, nodes, residual.dofs().comm())));
}

}  // namespace invar
