#include "libfluid/objective/wall_samples.hpp"

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

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The number of the pressure among the components.
int pressure_of(const DofMap& dofs) {
  const auto& all = dofs.components();
  const auto at = std::ranges::find(all, "p", &Component::name);
  return at == all.end() ? dofs.mesh().dim : static_cast<int>(at - all.begin());
}

/// Velocity, its gradient and the pressure in one cell.
class CellFlow {
 public:
  CellFlow(const DofMap& dofs, const double* u, const double* coordinates, int block, int cell)
      : type_(dofs.mesh().cells[block].type), velocity_{type_.shape, dofs.orders()[0]},
        pressure_{type_.shape, dofs.components()[pressure_of(dofs)].order} {
    const int dim = dofs.mesh().dim, n = node_count(type_), pressure = pressure_of(dofs);
    const int* nodes = &dofs.mesh().cells[block].nodes[std::size_t(cell) * n];
    nodes_.assign(nodes, nodes + n);
    x_.resize(dim, n);
    u_.resize(dim, node_count(velocity_));
    p_.resize(1, node_count(pressure_));
    for (int a = 0; a < n; ++a) {
      for (int i = 0; i < dim; ++i) {
        x_(i, a) = coordinates[std::size_t(nodes[a]) * dim + i];
        if (a < u_.cols()) u_(i, a) = u[dofs.first_dof(nodes[a]) + i];
      }
      if (a < p_.cols()) p_(0, a) = u[dofs.dof(nodes[a], pressure)];
    }
  }
  /// ∂u_i/∂x_j
  Eigen::MatrixXd gradient(const double* xi) const {
    return slopes(velocity_, xi, u_) * slopes(type_, xi, x_).inverse();
  }
  Eigen::VectorXd point(const double* xi) const { return value(type_, xi, x_); }
  Eigen::VectorXd velocity(const double* xi) const { return value(velocity_, xi, u_); }
  /// Largest distance of the cell's vertices from the plane at x with this unit normal, which points out of the cell.
  double height(const Eigen::VectorXd& x, const Eigen::Vector3d& normal) const {
    const int dim = static_cast<int>(x_.rows());
    double most = 0;
    for (int a = 0; a < vertex_count(type_.shape); ++a) most = std::max(most, (x - x_.col(a)).dot(normal.head(dim)));
    return most;
  }
  double pressure(const double* xi) const { return value(pressure_, xi, p_)[0]; }
  /// Value of a coefficient; cell: position among the rank's cells.
  double coefficient(const Coefficient& c, int cell, const double* xi) const {
    if (c.layout == Coefficient::Layout::constant) return c.values[0];
    if (c.layout == Coefficient::Layout::per_cell) return c.values[cell];
    Eigen::MatrixXd nodal(1, nodes_.size());
    for (std::size_t a = 0; a < nodes_.size(); ++a) nodal(0, a) = c.values[nodes_[a]];
    return value(type_, xi, nodal)[0];
  }

 private:
  static Eigen::MatrixXd slopes(CellType type, const double* xi, const Eigen::MatrixXd& nodal) {
    RowMajor dN(nodal.cols(), dimension_of(type.shape));
    shape_gradients(type, xi, dN.data());
    return nodal * dN;
  }
  static Eigen::VectorXd value(CellType type, const double* xi, const Eigen::MatrixXd& nodal) {
    Eigen::VectorXd N(nodal.cols());
    shape_values(type, xi, N.data());
    return nodal * N;
  }
  CellType type_, velocity_, pressure_;
  std::vector<int> nodes_;
  Eigen::MatrixXd x_, u_, p_;  // [component × node]
};

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

/// Normal of a facet times its length or area element at a point, x: its nodes [dim × node].
Eigen::Vector3d area_normal(CellType facet, const double* xi, const Eigen::MatrixXd& x) {
  RowMajor dN(x.cols(), dimension_of(facet.shape));
  shape_gradients(facet, xi, dN.data());
  const Eigen::MatrixXd A = x * dN;
  if (x.rows() == 2) return {A(1, 0), -A(0, 0), 0};
  return Eigen::Vector3d(A.col(0)).cross(Eigen::Vector3d(A.col(1)));
}

/// The fluid in each cell of the rank; −1: none.
std::vector<int> fluid_of_cells(const Mesh& mesh, std::span<const FlowFields::Fluid> fluids) {
  std::vector<int> fluid;
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    const std::size_t first = fluid.size();
    fluid.resize(first + mesh.cells[b].count(), -1);
    for (std::size_t f = 0; f < fluids.size(); ++f) {
      const Region* region = fluids[f].region.empty() ? nullptr : mesh.find_region(fluids[f].region);
      if (fluids[f].region.empty()) std::fill(fluid.begin() + first, fluid.end(), static_cast<int>(f));
      else if (region)
        for (int c : region->members[b]) fluid[first + c] = static_cast<int>(f);
    }
  }
  return fluid;
}

double shear_rate_squared(const WallSample& w, bool axisymmetric) {
  double sum = axisymmetric ? 2 * std::pow(w.velocity[0] / w.x[0], 2) : 0.0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum += 0.5 * std::pow(w.gradient[3 * i + j] + w.gradient[3 * j + i], 2);
  return sum;
}

std::vector<WallSample> on_all_ranks(const std::vector<WallSample>& mine, MPI_Comm comm) {
  int ranks = 1, bytes = static_cast<int>(mine.size() * sizeof(WallSample));
  MPI_Comm_size(comm, &ranks);
  std::vector<int> counts(ranks), starts(ranks, 0);
  MPI_Allgather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  for (int r = 1; r < ranks; ++r) starts[r] = starts[r - 1] + counts[r - 1];
  std::vector<WallSample> all((starts.back() + counts.back()) / sizeof(WallSample));
  MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, all.data(), counts.data(), starts.data(), MPI_BYTE, comm);
  return all;
}

}  // namespace

std::vector<WallSample> wall_samples(const DofMap& dofs, const double* u, const double* coordinates, FlowKind kind,
                                     const std::string& name, int degree, std::span<const FlowFields::Fluid> fluids) {
  const Mesh& mesh = dofs.mesh();
  const int dim = mesh.dim, k = dim - 1;
  const Region* region = mesh.find_region(name);
  if (!region || region->dim != k) throw std::invalid_argument("the mesh has no facet region '" + name + "'");
  const NodeCells incidence(mesh);
  const std::vector<int> fluid_of = fluid_of_cells(mesh, fluids);
  std::vector<WallSample> mine;
  for (std::size_t b = 0; b < mesh.facets.size(); ++b) {
    const CellBlock& facets = mesh.facets[b];
    const int n = node_count(facets.type), vertices = vertex_count(facets.type.shape);
    const CellType straight{facets.type.shape, 1};
    const Quadrature rule = quadrature(facets.type.shape, degree);
    for (int f : region->members[b]) {
      if (f >= facets.n_owned) continue;
      const int* nodes = &facets.nodes[std::size_t(f) * n];
      const FacetParent parent = find_parent(mesh, incidence, facets.type.shape, {nodes, std::size_t(n)}, [&](int cell) { return fluids.empty() || fluid_of[cell] >= 0; });
      if (parent.cell < 0) continue;
      const CellBlock& cells = mesh.cells[parent.block];
      const int* cell_nodes = &cells.nodes[std::size_t(parent.cell) * node_count(cells.type)];
      const Eigen::MatrixXd corners = corners_in_cell(cells.type, cell_nodes, nodes, vertices);
      const CellFlow flow(dofs, u, coordinates, parent.block, parent.cell);
      const int cell = incidence.first_cell(parent.block) + parent.cell;
      Eigen::MatrixXd x(dim, n);
      for (int a = 0; a < n; ++a)
        for (int i = 0; i < dim; ++i) x(i, a) = coordinates[std::size_t(nodes[a]) * dim + i];
      for (std::size_t q = 0; q < rule.weights.size(); ++q) {
        const double* xi = &rule.points[q * k];
        Eigen::VectorXd N(vertices);
        shape_values(straight, xi, N.data());
        const Eigen::VectorXd in_cell = corners * N, at = flow.point(in_cell.data()), v = flow.velocity(in_cell.data());
        const Eigen::MatrixXd L = flow.gradient(in_cell.data());
        const Eigen::Vector3d normal = area_normal(facets.type, xi, x) * (parent.outward ? 1 : -1);
        WallSample w;
        for (int i = 0; i < dim; ++i) {
          w.x[i] = at[i], w.velocity[i] = v[i];
          for (int j = 0; j < dim; ++j) w.gradient[3 * i + j] = L(i, j);
        }
        for (int i = 0; i < 3; ++i) w.normal[i] = normal[i] / normal.norm();
        w.pressure = flow.pressure(in_cell.data());
        w.height = flow.height(at, normal / normal.norm());
        w.area = rule.weights[q] * normal.norm();
        if (kind == FlowKind::axisymmetric) w.area *= 2 * std::numbers::pi * w.x[0];
        if (const int of = fluid_of[cell]; of >= 0) {
          std::vector<double> constants;
          for (const Coefficient& c : fluids[of].parameters)
            constants.push_back(flow.coefficient(c, cell, in_cell.data()));
          const double rate = shear_rate_squared(w, kind == FlowKind::axisymmetric);
          w.viscosity = fluids[of].law.viscosity(rate, constants.data());
          w.density = flow.coefficient(fluids[of].density, cell, in_cell.data());
        }
        if (dim == 2) {
          w.ends = {mesh.original_node[nodes[0]], mesh.original_node[nodes[1]]};
          w.along = xi[0];
        }
        mine.push_back(w);
      }
    }
  }
  return on_all_ranks(mine, mesh.comm);
}

}  // namespace invar
