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

/// The largest prescribed magnitude of a condition on this rank at time t.
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

/// Bounding box of these nodes, [dim] each; empty without nodes.
struct Box {
  std::vector<double> low, high;
  double extent(int i) const { return high[i] - low[i]; }
  double size() const {
    double largest = 0;
    for (std::size_t i = 0; i < low.size(); ++i) largest = std::max(largest, high[i] - low[i]);
    return largest;
  }
};

Box box_of(const Mesh& mesh, const std::vector<int>& nodes, MPI_Comm comm) {
  Box box;
  for (int i = 0; i < mesh.dim; ++i) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const int node : nodes) {
      const double x = mesh.coordinates[std::size_t(node) * mesh.dim + i];
      low = std::min(low, x);
      high = std::max(high, x);
    }
    box.low.push_back(over_ranks(low, MPI_MIN, comm));
    box.high.push_back(over_ranks(high, MPI_MAX, comm));
  }
  return box;
}

Box box_of_all(const Mesh& mesh, MPI_Comm comm) {
  std::vector<int> nodes(mesh.node_total());
  std::iota(nodes.begin(), nodes.end(), 0);
  return box_of(mesh, nodes, comm);
}

std::vector<int> nodes_of(const Mesh& mesh, const std::vector<std::string>& regions) {
  std::vector<int> nodes;
  for (const std::string& name : regions)
    if (const Region* region = mesh.find_region(name)) nodes.insert(nodes.end(), region->nodes.begin(), region->nodes.end());
  return nodes;
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
  const Box box = box_of_all(residual.dofs().mesh(), residual.dofs().comm());
  double smallest = HUGE_VAL;
  for (int i = 0; i < residual.dofs().mesh().dim; ++i) smallest = std::min(smallest, box.extent(i));
  return smallest;
}

double distance_in_sizes(const FormResidual& residual, const std::vector<std::string>& walls, const std::string& region) {
  const Mesh& mesh = residual.dofs().mesh();
  const MPI_Comm comm = residual.dofs().comm();
  const Box body = box_of(mesh, nodes_of(mesh, walls), comm), all = box_of_all(mesh, comm);
  const double size = body.size();
  double nearest = HUGE_VAL;
  for (const int node : nodes_of(mesh, {region})) {
    double squared = 0;
    for (int i = 0; i < mesh.dim; ++i)
      squared += std::pow(mesh.coordinates[std::size_t(node) * mesh.dim + i] - (body.low[i] + body.high[i]) / 2, 2);
    nearest = std::min(nearest, std::sqrt(squared));
  }
  nearest = over_ranks(nearest, MPI_MIN, comm);
  for (int i = 0; i < mesh.dim; ++i)
    if (body.low[i] <= all.low[i] || body.high[i] >= all.high[i]) return HUGE_VAL;
  return size > 0 ? nearest / size : HUGE_VAL;
}

double largest_extent(const FormResidual& residual, const std::vector<std::string>& regions) {
  const Mesh& mesh = residual.dofs().mesh();
  return box_of(mesh, nodes_of(mesh, regions), residual.dofs().comm()).size();
}

}  // namespace invar
