#pragma once
#include <vector>

#include "libfem/mesh/boundary_facets.hpp"

namespace invar {

/// Some facets of the boundary on this rank: as sides of cells, and as entries of Mesh::facets (if they are any),
/// numbered through all blocks; both ascending. loads_only: forms on cells are not evaluated there.
struct BoundaryPart {
  std::vector<CellSide> sides;
  std::vector<int> facets;
  bool loads_only = false;
  bool operator==(const BoundaryPart&) const = default;
};

}  // namespace invar
