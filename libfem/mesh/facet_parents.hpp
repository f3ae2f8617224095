#pragma once
#include <functional>
#include <span>

#include "libfem/mesh/node_cells.hpp"

namespace invar {

/// The cell that a facet bounds, and the local number of the facet in it; cell is −1 if there is none.
struct FacetParent {
  int block = -1, cell = -1;  // position in the block
  int facet = -1;             // among facets_of(shape of the cell)
  bool outward = true;        // the facet's vertices have the orientation of the cell's own facet
};

/// The first cell of the mesh that has a facet with these nodes (vertices first). accepts: cells that may be it, by their numbers through all
/// blocks; empty: all.
FacetParent find_parent(const Mesh& mesh, const NodeCells& incidence, Shape shape,
                        std::span<const int> nodes, const std::function<bool(int cell)>& accepts = {});

}  // namespace invar
