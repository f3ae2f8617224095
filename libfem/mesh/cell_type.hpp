#pragma once
#include <string_view>

namespace invar {

enum class Shape : unsigned char { point, segment, triangle, quadrilateral, tetrahedron, hexahedron };

/// Lagrange cell of first or second order (order 0: one constant, for spaces only). Second order is
/// complete: tri6, quad9, tet10, hex27.
/// Node order is VTK's (QUADRATIC_EDGE, QUADRATIC_TRIANGLE, BIQUADRATIC_QUAD, QUADRATIC_TETRA,
/// TRIQUADRATIC_HEXAHEDRON); the vertices come first.
struct CellType {
  Shape shape = Shape::point;
  int order = 1;
  bool operator==(const CellType&) const = default;
};

int dimension_of(Shape shape);      // 0 … 3
int vertex_count(Shape shape);      // 1, 2, 3, 4, 4, 8
int node_count(CellType type);      // e.g. 10 for the second-order tetrahedron
std::string_view name_of(Shape shape);

}  // namespace invar
