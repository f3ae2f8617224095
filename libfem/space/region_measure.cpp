#include "libfem/space/region_measure.hpp"

#include <cmath>

#include "libfem/mesh/jacobian_table.hpp"
#include "libfem/space/quadrature.hpp"

namespace invar {
namespace {

/// √det(JᵀJ) of J [dim × k].
double stretch(const double* J, int dim, int k) {
  double gram[3][3] = {};
  for (int a = 0; a < k; ++a)
    for (int b = 0; b < k; ++b)
      for (int d = 0; d < dim; ++d) gram[a][b] += J[d * k + a] * J[d * k + b];
  if (k == 1) return std::sqrt(gram[0][0]);
  if (k == 2) return std::sqrt(gram[0][0] * gram[1][1] - gram[0][1] * gram[1][0]);
  return std::sqrt(gram[0][0] * (gram[1][1] * gram[2][2] - gram[1][2] * gram[2][1]) -
                   gram[0][1] * (gram[1][0] * gram[2][2] - gram[1][2] * gram[2][0]) +
                   gram[0][2] * (gram[1][0] * gram[2][1] - gram[1][1] * gram[2][0]));
}

}  // namespace

double region_measure(const Mesh& mesh, const Region& region) {
  double total = 0;
  if (region.dim == mesh.dim || region.dim == mesh.dim - 1) {
    const std::vector<CellBlock>& blocks = region.dim == mesh.dim ? mesh.cells : mesh.facets;
    for (std::size_t b = 0; b < blocks.size() && b < region.members.size(); ++b) {
      const CellBlock& block = blocks[b];
      const Quadrature rule = quadrature(block.type.shape, 8);
      const JacobianTable table(block.type, rule.points);
      for (const int cell : region.members[b]) {
        if (cell >= block.n_owned) continue;  // another rank counts it
        for (int q = 0; q < rule.count(); ++q) {
          double J[9];
          table.evaluate(mesh.coordinates.data(), mesh.dim, &block.nodes[cell * node_count(block.type)], q, J);
          total += rule.weights[q] * stretch(J, mesh.dim, region.dim);
        }
      }
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_DOUBLE, MPI_SUM, mesh.comm);
  return total;
}

}  // namespace invar
