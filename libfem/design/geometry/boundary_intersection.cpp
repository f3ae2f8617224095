#include "libfem/design/geometry/boundary_intersection.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "libfem/design/geometry/piece_crossing.hpp"
#include "libfem/mesh/box_tree.hpp"

namespace invar {
namespace {

BoundaryIntersection crossing_at(const std::array<double, 3>& at, int dim) {
  std::ostringstream text;
  text << "the boundary crosses itself near (";
  for (int d = 0; d < dim; ++d) text << (d > 0 ? ", " : "") << at[d];
  return {at, text.str() + ")"};
}

BoundingBox box_of(const SampledSurface& surface, int piece) {
  const auto& corners = surface.pieces[piece];
  const auto& first = surface.points[corners[0]];
  BoundingBox box{first, first};
  for (int i = 1; i < surface.corners; ++i)
    for (int d = 0; d < 3; ++d) {
      box.low[d] = std::min(box.low[d], surface.points[corners[i]][d]);
      box.high[d] = std::max(box.high[d], surface.points[corners[i]][d]);
    }
  return box;
}

bool finite(const SampledSurface& surface) {
  for (const auto& point : surface.points)
    if (!std::isfinite(point[0] + point[1] + point[2])) return false;
  return true;
}

}  // namespace

std::optional<BoundaryIntersection> find_boundary_intersection(const Mesh& mesh,
                                                               const std::vector<std::string>& regions,
                                                               const std::vector<double>& coordinates, int pieces) {
  if (pieces < 1) throw std::invalid_argument("a curved facet needs at least one straight part per edge");
  const auto facets_before = gather_facets(mesh, regions, mesh.coordinates);
  const SampledSurface moved(gather_facets(mesh, regions, coordinates), mesh.dim, pieces);
  if (!finite(moved)) return BoundaryIntersection{{}, "the boundary has coordinates that are not finite"};

  std::vector<BoundingBox> boxes;
  for (std::size_t i = 0; i < moved.pieces.size(); ++i) boxes.push_back(box_of(moved, static_cast<int>(i)));
  const BoxTree tree(boxes);
  std::optional<SampledSurface> before;
  const auto touched_before = [&](int i, int j) {
    if (!before) before.emplace(facets_before, mesh.dim, pieces);
    return box_of(*before, i).meets(box_of(*before, j)) && find_crossing(*before, i, j);
  };
  std::vector<int> near;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    near.clear();
    tree.visit_meeting(boxes[i], i + 1, [&](int j) { near.push_back(j); });
    std::ranges::sort(near);  // the result does not depend on the tree
    for (const int j : near)
      if (const auto at = find_crossing(moved, i, j); at && !touched_before(i, j)) return crossing_at(*at, mesh.dim);
  }
  return {};
}

}  // namespace invar
