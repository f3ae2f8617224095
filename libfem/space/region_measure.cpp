#include "libfem/space/region_measure.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "libfem/mesh/jacobian_table.hpp"
#include "libfem/space/quadrature.hpp"
#include "libfem/space/reference_element.hpp"

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

/// visit(nodes, ∫ N [node_count]) for each cell or facet of the region that this rank owns; around an axis ∫ 2π x N.
template <class Visit>
void visit_measures(const Mesh& mesh, const Region& region, bool around_axis, Visit visit) {
  const std::vector<CellBlock>& blocks = region.dim == mesh.dim ? mesh.cells : mesh.facets;
  for (std::size_t b = 0; b < blocks.size() && b < region.members.size(); ++b) {
    const CellBlock& block = blocks[b];
    const int n = node_count(block.type), k = dimension_of(block.type.shape);
    const Quadrature rule = quadrature(block.type.shape, 8);
    const JacobianTable table(block.type, rule.points);
    std::vector<double> N(n), integral(n);
    for (const int cell : region.members[b]) {
      if (cell >= block.n_owned) continue;  // counted on another rank
      const int* nodes = &block.nodes[std::size_t(cell) * n];
      std::ranges::fill(integral, 0.0);
      for (int q = 0; q < rule.count(); ++q) {
        double J[9];
        table.evaluate(mesh.coordinates.data(), mesh.dim, nodes, q, J);
        shape_values(block.type, &rule.points[std::size_t(q) * k], N.data());
        double radius = 0;
        for (int a = 0; a < n; ++a) radius += N[a] * mesh.coordinates[std::size_t(nodes[a]) * mesh.dim];
        const double weight = rule.weights[q] * stretch(J, mesh.dim, region.dim) * (around_axis ? 2 * std::numbers::pi * radius : 1.0);
        for (int a = 0; a < n; ++a) integral[a] += weight * N[a];
      }
      visit(nodes, integral);
    }
  }
}

bool has_measure(const Mesh& mesh, const Region& region) { return region.dim == mesh.dim || region.dim == mesh.dim - 1; }

}  // namespace

double region_measure(const Mesh& mesh, const Region& region) {
  double total = 0;
  if (has_measure(mesh, region))
    visit_measures(mesh, region, false, [&](const int*, const std::vector<double>& integral) { total += std::accumulate(integral.begin(), integral.end(), 0.0); });
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_DOUBLE, MPI_SUM, mesh.comm);
  return total;
}

std::vector<double> nodal_measures(const Mesh& mesh, const Region& region, bool around_axis) {
  std::vector<double> measures(mesh.node_total(), 0.0);
  if (has_measure(mesh, region))
    visit_measures(mesh, region, around_axis, [&](const int* nodes, const std::vector<double>& integral) {
      for (std::size_t a = 0; a < integral.size(); ++a) measures[nodes[a]] += integral[a];
    });
  return measures;
}

}  // namespace invar
