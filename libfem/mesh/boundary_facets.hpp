#pragma once
#include <array>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// One side of a facet: the cell there, numbered through all blocks, and the local number of the facet in it; cell is −1 if there is none
/// (or none on this rank).
struct CellSide {
  int cell = -1, facet = -1;
  auto operator<=>(const CellSide&) const = default;
};

/// A facet of the mesh's boundary, with or without a region; or a facet of a region inside the mesh; or one without cells, which has no
/// sides.
struct BoundaryFacet {
  std::array<CellSide, 2> sides;
  std::vector<int> nodes;      // local, all of them
  std::vector<int> positions;  // its entries in Mesh::facets, numbered through all blocks
  bool exterior = true;        // belongs to one cell of the whole mesh only
};

/// The facets of all cells of this rank, each once. Complete at the rank's own nodes, and on the cells that touch them.
std::vector<BoundaryFacet> boundary_facets(const Mesh& mesh);

/// `Mesh::exterior` of a serial mesh.
std::vector<std::vector<unsigned char>> exterior_facets(const Mesh& mesh);

}  // namespace invar
