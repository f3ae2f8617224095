#pragma once
#include <vector>

#include "libfem/mesh/boundary_facets.hpp"

namespace invar {

/// A facet of the boundary of a part of a mesh, whose first side is the cell of that part; or of a region of facets within the part.
struct PartFacet {
  BoundaryFacet facet;
  int beyond = -1;  // label of the cell on the other side; −1: the facet is exterior; 0: both sides are in the part
};

/// The facets of the cells with label 0, [cell through all blocks], behind which there is no cell, or one with another label, and
/// facets of regions between two of these cells, such as thin walls. Complete as `boundary_facets`. Labels of ghost cells are those that
/// their owners give. Collective.
std::vector<PartFacet> part_boundary(const Mesh& mesh, const std::vector<int>& label);

}  // namespace invar
