#include "libfem/mesh/overlapping_bodies.hpp"

#include <algorithm>
#include <optional>

#include "libfem/mesh/point_locator.hpp"

namespace invar {
namespace {

/// Points of the cells of a region, on the way from their corners to their centres, [point × dim], m: surfaces that touch are not within each
/// other there, even curved ones of straight pieces.
std::vector<double> points_within(const Mesh& mesh, const Region& region) {
  constexpr double inwards = 0.2;
  const std::size_t dim = mesh.dim;
  std::vector<double> points;
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    const CellBlock& block = mesh.cells[b];
    const int corners = vertex_count(block.type.shape);
    for (const int cell : region.members[b]) {
      const int* nodes = &block.nodes[std::size_t(cell) * node_count(block.type)];
      std::array<double, 3> centre{};
      for (int a = 0; a < corners; ++a)
        for (std::size_t i = 0; i < dim; ++i) centre[i] += mesh.coordinates[nodes[a] * dim + i] / corners;
      for (int a = 0; a < corners; ++a)
        for (std::size_t i = 0; i < dim; ++i) points.push_back((1 - inwards) * mesh.coordinates[nodes[a] * dim + i] + inwards * centre[i]);
    }
  }
  return points;
}

struct BodyCells {
  std::string name;
  int dim;
  std::vector<double> points;
  PointLocator locator;

  BodyCells(const Mesh& mesh, const Region& region)
      : name(region.name), dim(mesh.dim), points(points_within(mesh, region)),
        locator(mesh, [&](int block, int cell) { return std::ranges::binary_search(region.members[block], cell); }) {}
};

/// A point of a that is in b.
std::optional<std::array<double, 3>> point_in(const BodyCells& a, const BodyCells& b) {
  for (std::size_t k = 0; k < a.points.size(); k += a.dim)
    if (b.locator.count(&a.points[k]) > 0) return std::array{a.points[k], a.points[k + 1], a.dim == 3 ? a.points[k + 2] : 0.0};
  return std::nullopt;
}

}  // namespace

std::vector<BodyOverlap> find_overlapping_bodies(const Mesh& serial, const std::vector<std::string>& bodies) {
  std::vector<BodyCells> all;
  for (const std::string& name : bodies)
    if (const Region* region = serial.find_region(name); region && region->dim == serial.dim) all.emplace_back(serial, *region);
  std::vector<BodyOverlap> found;
  for (std::size_t b = 1; b < all.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      auto place = point_in(all[b], all[a]);
      if (!place) place = point_in(all[a], all[b]);
      if (place) found.push_back({{all[a].name, all[b].name}, *place});
    }
  return found;
}

}  // namespace invar
