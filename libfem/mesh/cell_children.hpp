#pragma once
#include <span>
#include <vector>

#include "libfem/mesh/cell_type.hpp"

namespace invar {

/// Number of children of a cell under regular refinement, all of the parent's shape: 2 of a segment, 4 of a triangle or
/// quadrilateral, 8 of a tetrahedron or hexahedron. A tetrahedron is split into four corner tetrahedra and an
/// octahedron, which is divided along the diagonal between the midpoints of edges 0–2 and 1–3 (Bey, Tetrahedral grid
/// refinement, Computing 55, 1995), so that repeated refinement gives at most three shapes of cells.
int child_count(Shape shape);

/// Position in the parent's reference cell of a point xi [dimension] of a child's reference cell.
std::vector<double> in_parent(Shape shape, int child, std::span<const double> xi);

}  // namespace invar
