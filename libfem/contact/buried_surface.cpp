#include "libfem/contact/buried_surface.hpp"

#include <algorithm>
#include <cmath>

#include "libfem/contact/facet_lattice.hpp"
#include "libfem/form/mesh_at.hpp"
#include "libfem/mesh/point_locator.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

/// A point of a facet and those next to it on the outer and inner side of its own cell, if it has one.
struct FacetPoint {
  std::array<double, 3> x{};
  std::array<std::array<double, 3>, 2> beside{};
  int own = 0;  // number of the facet's own cells
};

/// The middle of a facet's reference shape and points near its corners, which are not on walls that rise there.
std::vector<std::array<double, 2>> inner_points(Shape shape) {
  constexpr double inwards = 0.02;
  std::vector<std::array<double, 2>> points = lattice_points(shape, 1);
  std::array<double, 2> middle{};
  for (const auto& p : points)
    for (int i = 0; i < 2; ++i) middle[i] += p[i] / static_cast<double>(points.size());
  for (auto& p : points)
    for (int i = 0; i < 2; ++i) p[i] += inwards * (middle[i] - p[i]);
  points.push_back(middle);
  return points;
}

FacetPoint facet_point(const Mesh& mesh, CellType type, std::span<const int> nodes, const double* xi) {
  constexpr double away = 1e-6;  // relative to the facet's size
  const int plane = mesh.dim - 1, n = node_count(type);
  std::vector<double> N(n), dN(std::size_t(n) * plane);
  shape_values(type, xi, N.data());
  shape_gradients(type, xi, dN.data());
  FacetPoint point;
  Vector<double, 3> t[2]{};  // tangents
  for (int a = 0; a < n; ++a)
    for (int i = 0; i < mesh.dim; ++i) {
      const double x = mesh.coordinates[std::size_t(nodes[a]) * mesh.dim + i];
      point.x[i] += N[a] * x;
      for (int k = 0; k < plane; ++k) t[k][i] += dN[a * plane + k] * x;
    }
  if (plane == 1) t[1][2] = 1;
  const Vector<double, 3> normal = cross(t[0], t[1]);
  const double area = std::hypot(normal[0], normal[1], normal[2]), step = away * (plane == 1 ? area : std::sqrt(area)) / area;
  for (int i = 0; i < 3; ++i) point.beside[0][i] = point.x[i] + step * normal[i], point.beside[1][i] = point.x[i] - step * normal[i];
  return point;
}

std::vector<FacetPoint> points_of(const ContactSurface& surface, const Mesh& mesh) {
  std::vector<char> in_cells(mesh.node_total(), 0);
  for (const CellBlock& block : mesh.cells)
    for (const int node : block.nodes) in_cells[node] = 1;
  std::vector<FacetPoint> points;
  for (int f = 0; f < surface.n_facets(); ++f) {
    const std::span nodes(surface.facet_node.data() + surface.facet_begin[f], surface.facet_node.data() + surface.facet_begin[f + 1]);
    for (const auto& xi : inner_points(surface.facet_type[f].shape)) {
      points.push_back(facet_point(mesh, surface.facet_type[f], nodes, xi.data()));
      points.back().own = in_cells[nodes[0]];
    }
  }
  return points;
}

}  // namespace

std::optional<std::array<double, 3>> buried_place(const ContactSurface& surface, const DofMap& dofs, const FormState& at) {
  const Mesh mesh = mesh_at(dofs, at);
  std::vector<FacetPoint> points = points_of(surface, mesh);
  struct {
    int count, rank;
  } most{static_cast<int>(points.size()), 0};  // all ranks with surfaces have the same
  MPI_Comm_rank(mesh.comm, &most.rank);
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_2INT, MPI_MAXLOC, mesh.comm);
  points.resize(most.count);
  MPI_Bcast(points.data(), most.count * static_cast<int>(sizeof(FacetPoint)), MPI_BYTE, most.rank, mesh.comm);
  const PointLocator locator(mesh);
  for (int side = 0; side < 2; ++side) {  // keeps the points with foreign cells there
    std::vector<int> cells;
    for (const FacetPoint& p : points) cells.push_back(locator.count(p.beside[side].data()));
    MPI_Allreduce(MPI_IN_PLACE, cells.data(), static_cast<int>(cells.size()), MPI_INT, MPI_SUM, mesh.comm);
    std::vector<FacetPoint> among;
    for (std::size_t k = 0; k < points.size(); ++k)
      if (cells[k] > side * points[k].own) among.push_back(points[k]);
    points = std::move(among);
  }
  if (points.empty()) return std::nullopt;
  return points.front().x;
}

}  // namespace invar
