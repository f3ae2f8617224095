#include "libfem/space/region_measure.hpp"

#include <numeric>

#include "libfem/space/nodal_measures.hpp"

namespace invar {

double region_measure(const Mesh& mesh, const Region& region) {
  const std::vector<double> shares = nodal_measures(mesh, region);
  double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_DOUBLE, MPI_SUM, mesh.comm);
  return total;
}

std::vector<double> nodal_measures(const Mesh& mesh, const Region& region, bool around_axis) {
  return NodalMeasures(mesh, region, around_axis).values(mesh.coordinates);
}

}  // namespace invar
