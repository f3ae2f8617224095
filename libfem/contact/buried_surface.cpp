#include "libfem/contact/buried_surface.hpp"

#include <algorithm>
#include <cmath>

#include "libfem/mesh/all_gather.hpp"
#include "libfem/mesh/point_locator.hpp"

namespace invar {
namespace {

/// Outward normal of a facet with straight edges between its corners, scaled by its area (length).
std::array<double, 3> facet_normal(const Mesh& mesh, const CellBlock& block, int facet) {
  const int* nodes = &block.nodes[std::size_t(facet) * node_count(block.type)];
  const auto edge = [&](int a, int b, int i) {
    return i < mesh.dim ? mesh.coordinates[std::size_t(nodes[b]) * mesh.dim + i] - mesh.coordinates[std::size_t(nodes[a]) * mesh.dim + i] : 0.0;
  };
  if (mesh.dim == 2) return {edge(0, 1, 1), -edge(0, 1, 0), 0};
  const int last = vertex_count(block.type.shape) - 1;
  std::array<double, 3> n{};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    n[i] = edge(0, 1, j) * edge(0, last, k) - edge(0, 1, k) * edge(0, last, j);
  }
  return n;
}

struct PointBeforeSurface {
  long long node = 0;  // number in the serial mesh
  std::array<double, 3> x{};
};

}  // namespace

std::optional<std::array<double, 3>> buried_node(const Mesh& mesh, const std::vector<std::string>& regions) {
  constexpr double ahead = 1e-6;  // offset of the test point along the normal, relative to the facet's size
  std::vector<std::array<double, 3>> normal(mesh.node_total(), std::array<double, 3>{});
  for (const std::string& name : regions) {
    const Region* region = mesh.find_region(name);
    for (std::size_t b = 0; b < region->members.size(); ++b)
      for (const int facet : region->members[b]) {
        const std::array<double, 3> n = facet_normal(mesh, mesh.facets[b], facet);
        const int count = node_count(mesh.facets[b].type);
        for (int a = 0; a < count; ++a)
          for (int i = 0; i < 3; ++i) normal[mesh.facets[b].nodes[std::size_t(facet) * count + a]][i] += n[i];
      }
  }
  std::vector<PointBeforeSurface> mine;
  for (int node = 0; node < mesh.n_owned_nodes; ++node) {
    const auto& n = normal[node];
    const double size = std::hypot(n[0], n[1], n[2]);
    if (!(size > 0)) continue;
    const double step = ahead * (mesh.dim == 2 ? size : std::sqrt(size)) / size;
    PointBeforeSurface& point = mine.emplace_back(mesh.original_node[node]);
    for (int i = 0; i < mesh.dim; ++i) point.x[i] = mesh.coordinates[std::size_t(node) * mesh.dim + i] + step * n[i];
  }
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(sizeof(PointBeforeSurface)), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  std::vector<PointBeforeSurface> points = all_gather(mine, type, mesh.comm);
  MPI_Type_free(&type);
  std::ranges::sort(points, {}, &PointBeforeSurface::node);
  const PointLocator locator(mesh);
  int first = static_cast<int>(std::ranges::find_if(points, [&](auto& p) { return locator.find(p.x.data()).distance == 0; }) - points.begin());
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, mesh.comm);
  if (first == static_cast<int>(points.size())) return std::nullopt;
  return points[first].x;
}

}  // namespace invar
