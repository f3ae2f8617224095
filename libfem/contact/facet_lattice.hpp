#pragma once
#include <array>
#include <vector>

#include "libfem/mesh/cell_type.hpp"

namespace invar {

// Points that divide each edge of a reference facet (segment, triangle, quadrilateral) into n equal parts, row by row:
// the first reference coordinate runs first.

/// ξ; of a segment the second is 0.
std::vector<std::array<double, 2>> lattice_points(Shape shape, int n);
/// Segments between them, or triangles that turn as the facet does; a segment's third point is −1.
std::vector<std::array<int, 3>> lattice_pieces(Shape shape, int n);
/// On which edges of the facet a point lies: bit k for edge k of `edges_of`; of a segment: bit k for vertex k.
std::vector<unsigned> lattice_borders(Shape shape, int n);

/// ω: Σ ω f(ξ) integrates the facet's shape functions exactly, on segments and triangles of all weights that do so
/// those nearest to the trapezoidal rule (which they are at first order; Simpson's for n = 2 at second order), on
/// quadrilaterals products of the segment's. Non-negative. n ≥ order (std::invalid_argument).
std::vector<double> lattice_weights(CellType type, int n);

}  // namespace invar
