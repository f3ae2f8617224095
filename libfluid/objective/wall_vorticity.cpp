#include "libfluid/objective/wall_vorticity.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "libfem/mesh/facet_parents.hpp"
#include "libfem/mesh/reference_element.hpp"
#include "libfem/space/quadrature.hpp"

namespace invar {
namespace {

/// The velocity's gradient in one cell.
class CellFlow {
 public:
  CellFlow(const DofMap& dofs, const double* u, const double* coordinates, int block, int cell)
      : type_(dofs.mesh().cells[block].type), velocity_{type_.shape, dofs.orders()[0]} {
    const int dim = dofs.mesh().dim, n = node_count(type_);
    const int* nodes = &dofs.mesh().cells[block].nodes[std::size_t(cell) * n];
    x_.resize(dim, n);
    u_.resize(dim, node_count(velocity_));
    for (int a = 0; a < n; ++a)
      for (int i = 0; i < dim; ++i) {
        x_(i, a) = coordinates[std::size_t(nodes[a]) * dim + i];
        if (a < u_.cols()) u_(i, a) = u[dofs.first_dof(nodes[a]) + i];
      }
  }
  /// ∂u_i/∂x_j
  Eigen::MatrixXd gradient(const double* xi) const {
    return slopes(velocity_, xi, u_) * slopes(type_, xi, x_).inverse();
  }
  Eigen::VectorXd point(const double* xi) const {
    Eigen::VectorXd N(x_.cols());
    shape_values(type_, xi, N.data());
    return x_ * N;
  }

 private:
  static Eigen::MatrixXd slopes(CellType type, const double* xi, const Eigen::MatrixXd& nodal) {
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> dN(nodal.cols(), nodal.rows());
    shape_gradients(type, xi, dN.data());
    return nodal * dN;
  }
  CellType type_, velocity_;
  Eigen::MatrixXd x_, u_;  // [dim × node]
};

double curl(const Eigen::MatrixXd& L) {
  if (L.rows() == 2) return std::abs(L(1, 0) - L(0, 1));
  return Eigen::Vector3d(L(2, 1) - L(1, 2), L(0, 2) - L(2, 0), L(1, 0) - L(0, 1)).norm();
}

/// Reference coordinates in the cell of the facet's vertices, [dim × vertex].
Eigen::MatrixXd corners_in_cell(CellType cell, const int* cell_nodes, const int* facet_nodes, int vertices) {
  const std::vector<double> reference = reference_nodes(cell);
  const int dim = dimension_of(cell.shape), n = vertex_count(cell.shape);
  Eigen::MatrixXd corners(dim, vertices);
  for (int v = 0; v < vertices; ++v) {
    const auto at = std::find(cell_nodes, cell_nodes + n, facet_nodes[v]) - cell_nodes;
    for (int i = 0; i < dim; ++i) corners(i, v) = reference[at * dim + i];
  }
  return corners;
}

/// Length or area element of a facet at a point, x: its nodes [dim × node].
double element(CellType facet, const double* xi, const Eigen::MatrixXd& x) {
  const int k = dimension_of(facet.shape);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> dN(x.cols(), k);
  shape_gradients(facet, xi, dN.data());
  const Eigen::MatrixXd A = x * dN;
  return std::sqrt((A.transpose() * A).determinant());
}

std::vector<WallVorticity> on_all_ranks(const std::vector<WallVorticity>& mine, MPI_Comm comm) {
  int ranks = 1, bytes = static_cast<int>(mine.size() * sizeof(WallVorticity));
  MPI_Comm_size(comm, &ranks);
  std::vector<int> counts(ranks), starts(ranks, 0);
  MPI_Allgather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  for (int r = 1; r < ranks; ++r) starts[r] = starts[r - 1] + counts[r - 1];
  std::vector<WallVorticity> all((starts.back() + counts.back()) / sizeof(WallVorticity));
  MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, all.data(), counts.data(), starts.data(), MPI_BYTE, comm);
  return all;
}

}  // namespace

std::vector<WallVorticity> wall_vorticity(const DofMap& dofs, const double* u, const double* coordinates,
                                          FlowKind kind, const std::string& name) {
  const Mesh& mesh = dofs.mesh();
  const Region* region = mesh.find_region(name);
  if (!region || region->dim != mesh.dim - 1)
    throw std::invalid_argument("the mesh has no facet region '" + name + "'");
  const NodeCells incidence(mesh);
  std::vector<WallVorticity> mine;
  for (std::size_t b = 0; b < mesh.facets.size(); ++b) {
    const CellBlock& facets = mesh.facets[b];
    const int n = node_count(facets.type), vertices = vertex_count(facets.type.shape), k = mesh.dim - 1;
    const CellType straight{facets.type.shape, 1};
    const Quadrature rule = quadrature(facets.type.shape, 4);
    for (int f : region->members[b]) {
      if (f >= facets.n_owned) continue;
      const int* nodes = &facets.nodes[std::size_t(f) * n];
      const FacetParent parent = find_parent(mesh, incidence, facets.type.shape, {nodes, std::size_t(n)});
      if (parent.cell < 0) continue;
      const CellBlock& cells = mesh.cells[parent.block];
      const int* cell_nodes = &cells.nodes[std::size_t(parent.cell) * node_count(cells.type)];
      const Eigen::MatrixXd corners = corners_in_cell(cells.type, cell_nodes, nodes, vertices);
      const CellFlow flow(dofs, u, coordinates, parent.block, parent.cell);
      Eigen::MatrixXd x(mesh.dim, n);
      for (int a = 0; a < n; ++a)
        for (int i = 0; i < mesh.dim; ++i) x(i, a) = coordinates[std::size_t(nodes[a]) * mesh.dim + i];
      for (std::size_t q = 0; q < rule.weights.size(); ++q) {
        const double* xi = &rule.points[q * k];
        Eigen::VectorXd N(vertices);
        shape_values(straight, xi, N.data());
        const Eigen::VectorXd in_cell = corners * N, at = flow.point(in_cell.data());
        WallVorticity w;
        std::copy_n(at.data(), mesh.dim, w.x.begin());
        w.area = rule.weights[q] * element(facets.type, xi, x);
        if (kind == FlowKind::axisymmetric) w.area *= 2 * std::numbers::pi * w.x[0];
        w.magnitude = curl(flow.gradient(in_cell.data()));
        mine.push_back(w);
      }
    }
  }
  return on_all_ranks(mine, mesh.comm);
}

double relative_deviation(const std::vector<WallVorticity>& wall) {
  double area = 0, mean = 0, squares = 0;
  for (const WallVorticity& w : wall) area += w.area, mean += w.area * w.magnitude;
  mean /= area;
  for (const WallVorticity& w : wall) squares += w.area * (w.magnitude - mean) * (w.magnitude - mean);
  return std::sqrt(squares / area) / mean;
}

}  // namespace invar
