#include "libfluid/mesh_motion/mesh_motion_form.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "libfem/form/at_nodes.hpp"
#include "libfem/form/q_form.hpp"
#include "libfluid/mesh_motion/mesh_elasticity.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_mesh_elasticity(int dim, CellBatches cells) {
  if (dim == 2) return make_form(MeshElasticity<2>{}, std::move(cells));
  return make_form(MeshElasticity<3>{}, std::move(cells));
}

CellBatches moving_mesh_points(CellBatches cells) {
  constexpr double share_of_nodes = 0.01;
  return with_nodes(std::move(cells), share_of_nodes);
}

std::vector<double> mesh_stiffness(const Mesh& mesh, MPI_Comm comm, double power) {
  std::vector<double> volume;
  double sums[2] = {0, 0};
  for (const CellBlock& block : mesh.cells) {
    const int n = node_count(block.type), corners = vertex_count(block.type.shape);
    for (int c = 0; c < block.count(); ++c) {
      // Volume of the bounding box of the vertices, as a measure of size.
      double low[3], high[3], size = 1;
      for (int i = 0; i < mesh.dim; ++i) low[i] = INFINITY, high[i] = -INFINITY;
      for (int a = 0; a < corners; ++a)
        for (int i = 0; i < mesh.dim; ++i) {
          const double x = mesh.coordinates[std::size_t(block.nodes[std::size_t(c) * n + a]) * mesh.dim + i];
          low[i] = std::min(low[i], x), high[i] = std::max(high[i], x);
        }
      for (int i = 0; i < mesh.dim; ++i) size *= high[i] - low[i];
      volume.push_back(size);
      if (c < block.n_owned) sums[0] += size, sums[1] += 1;
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, comm);
  for (double& v : volume) v = std::pow(sums[0] / sums[1] / v, power);
  return volume;
}

}  // namespace invar
