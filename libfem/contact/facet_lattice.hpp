#pragma once
#include <array>
#include <vector>

#include "libfem/mesh/cell_type.hpp"

namespace invar {

// Points that divide each edge of a reference facet (segment, triangle, quadrilateral) into n equal parts, row by row:
// the first reference coordinate varies fastest.

/// Reference coordinates ξ; for a segment the second is 0.
std::vector<std::array<double, 2>> lattice_points(Shape shape, int n);
/// Segments between them, or triangles with the orientation of the facet; a segment's third point is −1.
std::vector<std::array<int, 3>> lattice_pieces(Shape shape, int n);
/// Edges of the facet on which a point lies: bit k for edge k of `edges_of`; for a segment: bit k for vertex k.
std::vector<unsigned> lattice_borders(Shape shape, int n);

/// Non-negative weights ω of a quadrature Σ ω f(ξ) that is exact for the facet's shape functions. On segments and triangles they
/// are those closest to the trapezoidal rule (equal to it at first order; Simpson's rule for n = 2 at second order), on
/// quadrilaterals products of those of the segment. Throws std::invalid_argument if n < order.
std::vector<double> lattice_weights(CellType type, int n);

}  // namespace invar
