#pragma once
#include <array>
#include <span>
#include <vector>

#include "libfem/mesh/mesh.hpp"
#include "libfem/mesh/simplex_split.hpp"

namespace invar {

/// A mesh of simplices whose sides follow the contour of a function.
struct ContourSplit {
  std::vector<double> coordinates;  // [node × dim], m: nodes of the mesh, some of them moved to the contour, then crossings of edges
  std::vector<Simplex> cells;
  std::vector<int> cell_parent;   // [simplex] cell of the mesh that it is a part of, numbered through all blocks
  std::vector<signed char> side;  // [simplex] 1: the function is positive there; −1
  std::vector<SimplexSide> facets;
  std::vector<int> facet_parent;                  // [side] facet of the mesh, numbered through all blocks
  std::vector<std::array<int, 2>> crossed_edges;  // of the nodes after those of the mesh: the nodes on both sides
};

/// Splits a serial mesh along the contour level = 0 of the function that is linear on `split_into_simplices`, from its values at the nodes of the mesh
/// (those that are no vertices are not read). Both sides together are the mesh: conforming, of the same volume and boundary.
///
/// Slivers are avoided as by Labelle and Shewchuk (Isosurface stuffing: fast tetrahedral meshes with good dihedral angles, 2007): a node nearer to the
/// crossing of an edge than half of the least height of its simplices moves there, if boundaries and regions stay what they are (`NodeFreedom`); the
/// contour then still goes through points of the function's contour, and is second-order accurate. Where the node has to stay, the contour goes through the
/// node in place of the crossing. Then every simplex that the contour crosses is bisected at the crossings of its edges, the longest edge first, an
/// order that neighbours share.
/// kind: [cell through all blocks] the places where cells of different kinds meet are kept.
ContourSplit split_at_contour(const Mesh& serial, std::vector<double> level, std::span<const int> kind);

}  // namespace invar
