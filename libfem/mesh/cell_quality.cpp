#include "libfem/mesh/cell_quality.hpp"

#include <algorithm>
#include <cmath>

#include "libfem/mesh/reference_element.hpp"
#include "libfem/mesh/simplex.hpp"

namespace invar {
namespace {

double length(const double* a, int dim) {
  return dim == 2 ? std::hypot(a[0], a[1]) : std::hypot(a[0], a[1], a[2]);
}

double determinant(const double* J, int dim) {
  if (dim == 2) return J[0] * J[3] - J[1] * J[2];
  return J[0] * (J[4] * J[8] - J[5] * J[7]) - J[1] * (J[3] * J[8] - J[5] * J[6]) +
         J[2] * (J[3] * J[7] - J[4] * J[6]);
}

/// Lengths of the edges of the simplex with these edge vectors (columns of J) at its first corner:
/// [i][j] between vertices i and j.
double longest_corner(const double* J, int dim) {
  double x[4][3] = {};
  for (int v = 0; v < dim; ++v)
    for (int d = 0; d < dim; ++d) x[v + 1][d] = J[d * dim + v];
  double longest = 0;
  for (int v = 0; v <= dim; ++v) {
    double product = 1;
    for (int w = 0; w <= dim; ++w) {
      if (w == v) continue;
      const double edge[] = {x[w][0] - x[v][0], x[w][1] - x[v][1], x[w][2] - x[v][2]};
      product *= length(edge, dim);
    }
    longest = std::max(longest, product);
  }
  return longest;
}

double scaled_determinant(const double* J, Shape shape) {
  const int dim = dimension_of(shape);
  const double det = determinant(J, dim);
  double product = 1, best = 1;
  if (is_simplex(shape)) {
    product = longest_corner(J, dim);
    best = dim == 2 ? 0.5 * std::sqrt(3.0) : std::sqrt(0.5);
  } else {
    for (int e = 0; e < dim; ++e) {
      const double column[] = {J[e], J[dim + e], dim == 3 ? J[2 * dim + e] : 0.0};
      product *= length(column, dim);
    }
  }
  return product > 0 ? det / (product * best) : 0.0;
}

}  // namespace

CellQuality::CellQuality(CellType type)
    : shape_(type.shape), vertices_(type, reference_nodes({type.shape, 1})),
      all_nodes_(type, reference_nodes(type)) {}

CellQuality::Range CellQuality::over(const JacobianTable& points, const double* x,
                                     const int* nodes) const {
  Range range;
  double J[9];
  for (int q = 0; q < points.count(); ++q) {
    points.evaluate(x, dimension_of(shape_), nodes, q, J);
    const double value = scaled_determinant(J, shape_);
    range = {std::min(range.low, value), std::max(range.high, value)};
  }
  return range;
}

std::vector<double> scaled_jacobians(const Mesh& mesh, int block) {
  const CellBlock& cells = mesh.cells[block];
  const CellQuality quality(cells.type);
  const int n = node_count(cells.type);
  std::vector<double> values;
  for (int c = 0; c < cells.count(); ++c)
    values.push_back(quality.at_nodes(mesh.coordinates.data(), cells.nodes.data() + c * n).low);
  return values;
}

double worst_scaled_jacobian(const Mesh& mesh) {
  double worst = 1, global = 1;
  for (size_t b = 0; b < mesh.cells.size(); ++b) {
    const auto values = scaled_jacobians(mesh, static_cast<int>(b));
    for (int c = 0; c < mesh.cells[b].n_owned; ++c) worst = std::min(worst, values[c]);
  }
  MPI_Allreduce(&worst, &global, 1, MPI_DOUBLE, MPI_MIN, mesh.comm);
  return global;
}

}  // namespace invar
