#pragma once
#include <array>
#include <span>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Vertices of a triangle (with −1 in the last place) or a tetrahedron, positively oriented.
using Simplex = std::array<int, 4>;
/// Vertices of a side of one: a segment (with −1 in the last place) or a triangle.
using SimplexSide = std::array<int, 3>;

/// The cells of a mesh, and those of its facets that have cells, divided into simplices whose vertices are nodes of the mesh.
struct SimplexSplit {
  std::vector<Simplex> cells;
  std::vector<int> cell_parent;  // [simplex] cell of the mesh, numbered through all blocks
  std::vector<SimplexSide> facets;
  std::vector<int> facet_parent;  // [side] facet of the mesh, numbered through all blocks
};

/// Divides every cell of a serial mesh into simplices of its vertices, so that neighbours meet in common sides: a hexahedron into six
/// tetrahedra around its vertex of the smallest number, each face by the diagonal from its own (Dompierre, Labbé, Vallet, Camarero, How to
/// subdivide pyramids, prisms, and hexahedra into tetrahedra, 1999). A quadrilateral of the plane is divided by the shorter diagonal, of equal
/// ones by that along which `level` [node] varies less; if `level` has a saddle there, by the one that connects the corners on the side of
/// the saddle. Second-order cells are taken by their vertices: straight.
SimplexSplit split_into_simplices(const Mesh& serial, std::span<const double> level);

/// Area or volume of a simplex: positive if it is oriented as in `Simplex`. x: [node × dim].
double simplex_volume(int dim, const double* x, const Simplex& simplex);
/// Length or area of a side.
double side_measure(int dim, const double* x, const SimplexSide& side);
/// The smallest height of a simplex over one of its sides: negative if it is inverted.
double least_height(int dim, const double* x, const Simplex& simplex);
/// The share of a simplex in which a linear function is positive, from its values at the vertices [dim + 1].
double share_above(int dim, const double* level);

}  // namespace invar
