#pragma once
#include <array>
#include <optional>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Positions of the cells of a mesh in a regular grid of congruent boxes along the axes, some of which may be missing:
/// rectangles of quadrilaterals, boxes of hexahedra, voxels. Needed to coarsen such a mesh by factors of two.
struct CellLattice {
  int dim = 0;
  std::array<int, 3> cells = {1, 1, 1};        // of the whole grid, along each axis (z of plane meshes: 1)
  std::vector<std::array<int, 3>> cell;        // [cells of the rank] position of each, from 0
  std::vector<std::array<int, 3>> node;        // [local nodes] position of each, 0 … cells
  std::vector<std::array<signed char, 8>> corner;  // [cells of the rank][node of the cell] number of the corner: bit k is
                                                   // set at the upper end of axis k
};

/// The lattice of a mesh of first-order quadrilaterals or hexahedra that are congruent boxes along the axes to 1e-9 of
/// their size; nothing for other meshes. Collective.
std::optional<CellLattice> find_cell_lattice(const Mesh& mesh);

}  // namespace invar
