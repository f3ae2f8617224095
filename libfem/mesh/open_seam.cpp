#include "libfem/mesh/open_seam.hpp"

#include <cmath>
#include <set>
#include <span>

#include "libfem/mesh/box_tree.hpp"
#include "libfem/mesh/cell_facets.hpp"
#include "libfem/mesh/nearest_on_facet.hpp"

namespace invar {
namespace {

/// A facet with straight edges.
struct StraightFacet {
  FacetShape shape;
  std::vector<double> x;  // [vertex × dim], m
  std::array<double, 3> middle{};

  BoundingBox box() const {
    BoundingBox all;
    for (std::size_t v = 0; v < x.size(); v += shape.dim) {
      BoundingBox point;
      for (int i = 0; i < shape.dim; ++i) point.low[i] = point.high[i] = x[v + i];
      if (v == 0) all = point;
      else all.cover(point);
    }
    return all;
  }
};

StraightFacet straightened(const Mesh& mesh, Shape shape, std::span<const int> vertices) {
  StraightFacet facet{{{shape, 1}, mesh.dim}, {}};
  for (const int vertex : vertices)
    for (int i = 0; i < mesh.dim; ++i) {
      facet.x.push_back(mesh.coordinates[std::size_t(vertex) * mesh.dim + i]);
      facet.middle[i] += facet.x.back() / double(vertices.size());
    }
  return facet;
}

/// The facets of the boundary that no region names.
std::vector<StraightFacet> nameless_facets(const Mesh& mesh) {
  std::set<VertexKey> named;
  for (const CellBlock& block : mesh.facets)
    for (int f = 0; f < block.count(); ++f)
      named.insert(vertex_key({&block.nodes[std::size_t(f) * node_count(block.type)], std::size_t(vertex_count(block.type.shape))}));
  std::vector<StraightFacet> facets;
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    const std::size_t n = node_count(mesh.cells[b].type);
    const std::span<const ReferenceFacet> of_cell = facets_of(mesh.cells[b].type.shape);
    for (int c = 0; c < mesh.cells[b].count(); ++c)
      for (std::size_t f = 0; f < of_cell.size(); ++f) {
        if (!(mesh.exterior[b][c] >> f & 1)) continue;
        const std::vector<int> vertices = facet_vertices(of_cell[f], {&mesh.cells[b].nodes[c * n], n});
        if (!named.contains(vertex_key(vertices))) facets.push_back(straightened(mesh, of_cell[f].shape, vertices));
      }
  }
  return facets;
}

}  // namespace

OpenSeam find_open_seam(const Mesh& serial) {
  constexpr double near = 1e-4;
  const std::vector<StraightFacet> facets = nameless_facets(serial);
  std::vector<BoundingBox> boxes;
  for (const StraightFacet& facet : facets) boxes.push_back(facet.box());
  const BoxTree tree(boxes);
  OpenSeam seam;
  for (int k = 0; k < static_cast<int>(facets.size()); ++k) {
    const std::array<double, 3>& middle = facets[k].middle;
    const double reach = near * std::hypot(boxes[k].high[0] - boxes[k].low[0], boxes[k].high[1] - boxes[k].low[1], boxes[k].high[2] - boxes[k].low[2]);
    BoundingBox around{middle, middle};
    for (int i = 0; i < serial.dim; ++i) around.low[i] -= reach, around.high[i] += reach;
    bool touches = false;
    tree.visit_meeting(around, 0, [&](int other) {
      touches = touches || (other != k && nearest_on_facet(facets[other].shape, facets[other].x.data(), middle.data()).distance <= reach);
    });
    if (touches && seam.facets++ == 0) seam.place = middle;
  }
  return seam;
}

}  // namespace invar
