#pragma once
#include <vector>

#include "libfem/mesh/boundary_facets.hpp"

namespace invar {

/// Some facets of the boundary, as this rank holds them: as sides of cells, and as entries of Mesh::facets where they
/// are any, numbered through all blocks. Both ascending. loads_only: forms on cells do nothing there.
struct BoundaryPart {
  std::vector<CellSide> sides;
  std::vector<int> facets;
  bool loads_only = false;
  bool operator==(const BoundaryPart&) const = default;
};

}  // namespace invar
