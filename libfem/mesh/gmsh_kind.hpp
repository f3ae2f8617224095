#pragma once
#include <span>

#include "libfem/mesh/cell_type.hpp"

namespace invar {

/// An element type of Gmsh; node i in VTK's order is Gmsh's node order[i] (empty: the same).
struct GmshKind {
  int code;
  CellType type;
  std::span<const int> order;
};

inline constexpr int gmsh_tetrahedron_order[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
inline constexpr int gmsh_hexahedron_order[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  11, 13, 9,  16, 18,
                                                19, 17, 10, 12, 14, 15, 22, 23, 21, 24, 20, 25, 26};
/// The supported element types.
inline constexpr GmshKind gmsh_kinds[] = {{15, {Shape::point, 1}, {}},
                                          {1, {Shape::segment, 1}, {}},
                                          {8, {Shape::segment, 2}, {}},
                                          {2, {Shape::triangle, 1}, {}},
                                          {9, {Shape::triangle, 2}, {}},
                                          {3, {Shape::quadrilateral, 1}, {}},
                                          {10, {Shape::quadrilateral, 2}, {}},
                                          {4, {Shape::tetrahedron, 1}, {}},
                                          {11, {Shape::tetrahedron, 2}, gmsh_tetrahedron_order},
                                          {5, {Shape::hexahedron, 1}, {}},
                                          {12, {Shape::hexahedron, 2}, gmsh_hexahedron_order}};

}  // namespace invar
