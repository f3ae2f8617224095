#pragma once
#include <span>
#include <vector>

#include "libfem/mesh/cell_type.hpp"

namespace invar {

/// The parts of a cell of the given shape that regular refinement divides it into: 2 of a segment, 4 of a triangle or
/// quadrilateral, 8 of a tetrahedron or hexahedron, each of the parent's shape. A tetrahedron loses its four corners,
/// and the octahedron left between them is divided along the diagonal of the middles of edges 0–2 and 1–3 (Bey,
/// Tetrahedral grid refinement, Computing 55, 1995), so that repeated refinement of one cell gives at most three shapes
/// of cells.
int child_count(Shape shape);

/// The place in the parent's reference cell of a point xi [dimension] of the reference cell of a child.
std::vector<double> in_parent(Shape shape, int child, std::span<const double> xi);

}  // namespace invar
