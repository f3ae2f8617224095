#pragma once
#include <span>

#include "libfem/mesh/node_cells.hpp"

namespace invar {

/// The cell that a facet bounds and which of its facets it is; cell is −1 where there is none.
struct FacetParent {
  int block = -1, cell = -1;  // position in the block
  int facet = -1;             // among facets_of(shape of the cell)
  bool outward = true;        // the facet's vertices turn as the cell's own facet does
};

/// The first cell of the mesh that has the facet with these nodes (vertices first).
FacetParent find_parent(const Mesh& mesh, const NodeCells& incidence, Shape shape,
                        std::span<const int> nodes);

}  // namespace invar
